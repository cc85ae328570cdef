"""Accuracy per task on fresh pictures, with the training's own forward pass.

    python evaluate.py CHECKPOINT TOKENIZER_JSON --pictures 500

Short answers are counted exact with the true answer fed in, which is the same as greedy decoding
being exact. Long answers are also decoded greedily and counted by items. Weights are rounded to
bfloat16 first, as exported.
"""

import argparse
import json
import sys
from collections import defaultdict

import numpy
import torch
from tokenizers import Tokenizer

from architecture import Architecture
from batches import PATCH_PX
from checkpoint import load_checkpoint
from decoder import answer_logits, decoder_forward, decoder_layer
from evaluation_data import SIDES_PX, evaluation_picture
from generate import Answerer
from packing import IGNORED, Packer, visible
from parameters import Parameters
from scoring import LONG_TASKS, item_share


def exact_by_task(answerer: Answerer, seen, questions, packer: Packer) -> dict[str, bool]:
    """Whether each question about one picture is answered exactly."""
    rows, columns, features = seen
    branches = [
        (*packer.branch(question.prompt, question.answer), question.task, True)
        for question in questions
    ]
    tokens = packer.image_at + rows * columns + 1 + sum(len(branch[0]) for branch in branches)
    row = packer.pack(rows, columns, branches, tokens)
    mask = numpy.where(visible(row.branch[None]), numpy.float32(0), numpy.float32(-1e4))
    hidden = decoder_forward(
        answerer.architecture,
        answerer.weights,
        torch.from_numpy(row.ids)[None],
        torch.from_numpy(row.positions)[:, None],
        torch.from_numpy(mask),
        packer.image_at,
        features,
        decoder_layer,
    )[0]
    at = torch.from_numpy(row.targets != IGNORED)
    guesses = answer_logits(answerer.weights, hidden[at]).argmax(-1)
    wrong = (guesses != torch.from_numpy(row.targets)[at]).numpy()
    owner = row.branch[at.numpy()] - 2
    return {
        question.task: not wrong[owner == index].any() for index, question in enumerate(questions)
    }


@torch.no_grad()
def evaluate(answerer: Answerer, options: argparse.Namespace) -> dict:
    """Draws pictures until every wanted task was asked about `--pictures` of them."""
    right, asked = defaultdict(int), defaultdict(int)
    shares = defaultdict(list)
    wanted = set(options.tasks.split(",")) if options.tasks else None
    for index in range(options.most_drawn):
        picture, questions = evaluation_picture(index, options.seed, options.sides, options.fonts)
        questions = [
            question
            for question in questions
            if asked[question.task] < options.pictures and (not wanted or question.task in wanted)
        ]
        if not questions:
            continue
        seen = answerer.see(numpy.asarray(picture.image))
        for task, good in exact_by_task(answerer, seen, questions, answerer.packer).items():
            asked[task] += 1
            right[task] += good
        for question in questions:
            if question.task in LONG_TASKS and len(shares[question.task]) < options.long_answers:
                answer = answerer.answer(seen, [question.prompt])[0]
                shares[question.task].append(item_share(question.task, answer, question.answer))
        if wanted and all(asked[task] >= options.pictures for task in wanted):
            break
        if index % 100 == 99:
            print(f"{index + 1} drawn: {dict(right)} of {dict(asked)}", file=sys.stderr, flush=True)
    return {
        task: {
            "exact": round(right[task] / asked[task], 4),
            "pictures": asked[task],
            **(
                {"items": round(sum(shares[task]) / len(shares[task]), 4), "decoded": len(shares[task])}
                if shares.get(task)
                else {}
            ),
        }
        for task in sorted(asked)
        if asked[task]
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("checkpoint")
    parser.add_argument("tokenizer")
    parser.add_argument("--pictures", type=int, default=500, help="per task")
    parser.add_argument("--most-drawn", type=int, default=3000)
    parser.add_argument("--long-answers", type=int, default=100, help="decoded per long task")
    parser.add_argument("--tasks", help="comma-separated (default: all)")
    parser.add_argument("--fonts", choices=("training", "held-out", "both"), default="both")
    parser.add_argument("--sides", help="comma-separated sides in pixels, multiples of 32")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    sides = [int(side) for side in options.sides.split(",")] if options.sides else SIDES_PX
    options.sides = tuple(sides)
    if any(side % (2 * PATCH_PX) for side in options.sides):
        raise SystemExit("sides must be multiples of 32: this pass does not resize")
    torch.set_num_threads(1)
    parameters = Parameters(Architecture())
    step = load_checkpoint(options.checkpoint, parameters)
    rounded = parameters.flat.to(torch.bfloat16).float()
    answerer = Answerer(
        parameters.architecture, parameters.views(rounded), Tokenizer.from_file(options.tokenizer)
    )
    print(json.dumps({"step": step, "tasks": evaluate(answerer, options)}, indent=1))


if __name__ == "__main__":
    main()
