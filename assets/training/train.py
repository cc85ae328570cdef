"""Trains the demo model. See README.md for the whole recipe.

    python train.py --stage vision --steps 2000 --out RUN

Two single-threaded processes share the weights in memory. Each takes the next micro-batch of a
step when it is free, so a busy core slows the step down as little as possible; then each adds up
the gradients for its share of the weights and updates them. Nothing depends on the clock.
"""

import argparse
import json
import os
import signal
import time
from pathlib import Path

import torch
import torch.multiprocessing as multiprocessing

from architecture import Architecture
from batches import MicroBatches
from checkpoint import load_checkpoint, save_checkpoint
from forward import Forward
from mixes import MIXES
from optimiser import Optimiser, OptimiserState
from parameters import Parameters
from schedule import Schedule


class Shared:
    """What the training processes have in common."""

    def __init__(self, context, ranks: int, score_slots: int, schedule: Schedule):
        self.schedule = schedule
        self.ranks = ranks
        self.barrier = context.Barrier(ranks)
        self.lock = context.Lock()
        self.next_micro_batch = context.Value("q", 0)
        self.stop = context.Value("b", 0)
        self.stop_after_step = context.Value("b", 0)
        self.scores = torch.zeros(ranks, score_slots, 2).share_memory_()


def take_micro_batch(shared: Shared) -> int:
    with shared.lock:
        index = shared.next_micro_batch.value
        shared.next_micro_batch.value = index + 1
    return index


def work(rank, shared, parameters, state, grads, options, first_step) -> None:
    """One training process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    torch.set_num_threads(1)
    weights = parameters.views(parameters.flat)
    gradient_views = parameters.views(grads[rank])
    for name, weight in weights.items():
        weight.requires_grad_()
        weight.grad = gradient_views[name]
    batches = MicroBatches(options)
    forward = Forward(parameters.architecture, weights, options.stage, options.readout_weight)
    optimiser = Optimiser(parameters, state, rank, shared.ranks)
    vision_only = options.stage == "vision"
    schedule = shared.schedule
    out = Path(options.out)
    saved_at = logged_at = time.monotonic()
    step = first_step
    while True:
        while (index := take_micro_batch(shared)) < options.micro_batches:
            batch = batches.make(step, index, schedule.mix)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.bf16):
                loss, scores = forward.loss(batch)
            (loss / options.micro_batches).backward()
            shared.scores[rank, 0] += torch.tensor([loss.item(), 1.0])
            for slot, name in enumerate(forward.score_names, start=1):
                if name in scores:
                    shared.scores[rank, slot] += torch.tensor(scores[name], dtype=torch.float)
        shared.barrier.wait()
        factor = schedule.factor(step)
        optimiser.step(
            grads, step + 1, options.muon_lr * factor, options.adam_lr * factor, vision_only
        )
        step += 1
        if rank == 0:
            shared.next_micro_batch.value = 0
            # Signals and schedule.json come at any time: one process decides for all.
            shared.stop_after_step.value = shared.stop.value or step >= schedule.steps
        shared.barrier.wait()
        grads[rank].zero_()
        stopping = bool(shared.stop_after_step.value)
        if rank == 0:
            now = time.monotonic()
            if step % options.log_every == 0 or stopping:
                write_log(out, step, factor, shared, forward.score_names, now - logged_at)
                logged_at = now
            if now - saved_at > options.save_every_s or stopping:
                save_checkpoint(out / "checkpoint.pt", step, parameters, state, options)
                saved_at = now
            schedule.read(out)
            if schedule.decay_begins_at(step):
                save_checkpoint(out / "before-decay.pt", step, parameters, state, options)
        shared.barrier.wait()
        if stopping:
            break


def write_log(out, step, factor, shared, names, seconds) -> None:
    """One line of loss and accuracies since the last one; every picture was new to the model."""
    totals = shared.scores.sum(0)
    shared.scores.zero_()
    entry = {"step": step, "lr": round(factor, 4), "seconds": round(seconds, 1)}
    entry["loss"] = round(float(totals[0, 0] / totals[0, 1].clamp(min=1)), 4)
    for slot, name in enumerate(names, start=1):
        right, counted = totals[slot].tolist()
        if counted:
            entry[name] = round(right / counted, 3)
    with open(out / "log.jsonl", "a") as log:
        log.write(json.dumps(entry) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--stage", choices=("vision", "questions"), required=True)
    parser.add_argument("--out", required=True, help="folder of the log and the checkpoint")
    parser.add_argument("--resume", help="checkpoint to go on from (default: the one in --out)")
    parser.add_argument("--fresh-optimiser", action="store_true")
    parser.add_argument("--tokenizer", help="tokenizer.json (questions stage)")
    parser.add_argument("--mix", default="small", choices=tuple(MIXES), help="sizes and tasks")
    parser.add_argument("--steps", type=int, required=True, help="step to stop at")
    parser.add_argument("--decay", type=int, default=0, help="decay over the last N steps")
    parser.add_argument("--warm-up", type=int, default=30)
    parser.add_argument("--micro-batches", type=int, default=4, help="micro-batches per step")
    parser.add_argument(
        "--dense-batches", type=int, default=1, help="of them pictures of the vision stage"
    )
    parser.add_argument("--muon-lr", type=float, default=0.02)
    parser.add_argument("--adam-lr", type=float, default=3e-3)
    parser.add_argument("--readout-weight", type=float, default=0.3)
    parser.add_argument("--bf16", action="store_true", help="products in bf16: quicker on AVX512-BF16 and AMX")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log-every", type=int, default=20)
    parser.add_argument("--save-every-s", type=float, default=150)
    options = parser.parse_args()

    os.environ.setdefault("OMP_NUM_THREADS", "1")
    Path(options.out).mkdir(parents=True, exist_ok=True)
    parameters = Parameters(Architecture())
    parameters.initialise(options.seed)
    state = OptimiserState.zeros(parameters)
    own = Path(options.out) / "checkpoint.pt"
    source = own if own.exists() else options.resume
    first_step = load_checkpoint(source, parameters, state) if source else 0
    if options.fresh_optimiser and source != own:
        state.momentum.zero_()
        state.second.zero_()
    context = multiprocessing.get_context("spawn")
    schedule = Schedule(
        context, options.steps, options.decay, options.mix, first_step, options.warm_up
    )
    schedule.read(Path(options.out))
    shared = Shared(context, options.processes, 64, schedule)
    grads = [torch.zeros(parameters.size).share_memory_() for _ in range(options.processes)]

    def ask_to_stop(*_):
        shared.stop.value = 1

    signal.signal(signal.SIGTERM, ask_to_stop)
    signal.signal(signal.SIGINT, ask_to_stop)
    workers = [
        context.Process(
            target=work, args=(rank, shared, parameters, state, grads, options, first_step)
        )
        for rank in range(options.processes)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        raise SystemExit("a training process failed")


if __name__ == "__main__":
    main()
