#!/usr/bin/env python3
"""Compares the logits of poplens-cli with those of transformers on the real Gemma-3 270M.

    python tests/reference/compare_gemma3_270m.py --program build/release/bin/poplens-cli [--cache FOLDER] [--out F.json]

The model folder is what fetch_gemma3_270m.py made in --cache (or POPLENS_CACHE). Twenty prompts
(gemma3_270m_prompts.py), BOS before each, logits of every position:

f32   normalised mean square error against transformers in float32, beside that model's own against float64; the best
      token must be the same wherever the reference's best two logits are 1e-4 apart. Bound of a prompt: 1e-9, or ten times
      the reference's own noise.
bf16  Kullback-Leibler divergence, in nats a position, from transformers in float32 to the program in bf16, beside that
      to transformers in bf16. Bound: the program's mean over all positions is not above transformers' own.

Exit status 1 if a bound does not hold. Logits are compared and never greedy texts, which part at the first near-tie.
Needs 8 GB of memory and 2 GB under --scratch.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from common.float64 import float64_everywhere, in_float64
from gemma3_270m_prompts import PROMPTS
from tokenizers import Tokenizer
from transformers import Gemma3ForCausalLM, masking_utils, modeling_rope_utils
from transformers.models.gemma3 import modeling_gemma3

MOST_NMSE = 1e-9
NOISE_FACTOR = 10
NEAR_TIE = 1e-4
ROWS_AT_ONCE = 64
FLOAT64_MODULES = (modeling_gemma3, modeling_rope_utils, masking_utils)


class Sums:
    """Deviation of logits from a golden, gathered over rows of positions."""

    def __init__(self) -> None:
        self.error = self.power = self.largest = 0.0
        self.kl: list[float] = []  # nats, by position
        self.other_best = self.other_best_no_tie = 0  # positions

    def add(self, logits: torch.Tensor, golden: torch.Tensor) -> None:
        difference = logits.double() - golden.double()
        self.error += float((difference**2).sum())
        self.power += float((golden.double() ** 2).sum())
        self.largest = max(self.largest, float(difference.abs().max()))
        expected, actual = golden.double().log_softmax(-1), logits.double().log_softmax(-1)
        self.kl += (expected.exp() * (expected - actual)).sum(-1).tolist()
        best = golden.topk(2, dim=-1)
        differs = logits.argmax(-1) != best.indices[:, 0]
        self.other_best += int(differs.sum())
        self.other_best_no_tie += int((differs & (best.values[:, 0] - best.values[:, 1] >= NEAR_TIE)).sum())

    @property
    def nmse(self) -> float:
        return self.error / self.power

    def as_json(self) -> dict:
        positions = len(self.kl)
        return dict(
            nmse=float(f"{self.nmse:.3e}"), max_difference=float(f"{self.largest:.3e}"),
            kl_mean=float(f"{sum(self.kl) / positions:.3e}"), kl_max=float(f"{max(self.kl):.3e}"),
            top1=round(1 - self.other_best / positions, 5), top1_different_beyond_ties=self.other_best_no_tie,
        )  # fmt: skip


class References:
    """transformers in float32, bfloat16 and float64: last hidden states, from which logits are made a few rows at once."""

    def __init__(self, folder: Path) -> None:
        self.models = {d: Gemma3ForCausalLM.from_pretrained(folder, dtype=d).eval() for d in (torch.float32, torch.bfloat16)}
        with float64_everywhere(*FLOAT64_MODULES):
            self.models[torch.float64] = in_float64(self.models[torch.float32])

    def run(self, ids: list[int]) -> dict[torch.dtype, torch.Tensor]:
        batch = torch.tensor([ids])
        hidden = {d: self.models[d].model(batch).last_hidden_state[0] for d in (torch.float32, torch.bfloat16)}
        with float64_everywhere(*FLOAT64_MODULES):
            hidden[torch.float64] = self.models[torch.float64].model(batch).last_hidden_state[0]
        return hidden

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        return self.models[hidden.dtype].lm_head(hidden)


def program_logits(options, dtype: str, prompt: str, ids: list[int]) -> np.ndarray:
    """[positions, vocabulary], mapped from a file."""
    out = options.scratch / f"gemma3_270m_{dtype}.npy"
    command = [options.program, "logits", "--model", options.model, "--dtype", dtype, "--raw-prompt", "--bos", "--json"]
    command += ["--threads", str(options.threads), "--prompt", prompt, "--out", out]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"poplens-cli: {done.stderr.strip()}")
    if json.loads(done.stdout)["prompt_ids"] != ids:
        raise SystemExit(f"other ids than tokenizers gives for the prompt that begins {prompt[:40]!r}")
    return np.load(out, mmap_mode="r")


def compare_prompt(options, references: References, tokenizer: Tokenizer, name: str, prompt: str) -> dict[str, Sums | int]:
    ids = [2, *tokenizer.encode(prompt, add_special_tokens=False).ids]
    hidden = references.run(ids)
    sums = {key: Sums() for key in ("f32", "f32_noise", "bf16", "bf16_transformers")}
    for dtype in ("f32", "bf16"):
        ours = program_logits(options, dtype, prompt, ids)
        for start in range(0, len(ids), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            golden = references.logits(hidden[torch.float32][rows])
            sums[dtype].add(torch.from_numpy(np.array(ours[rows])), golden)
            if dtype == "f32":
                sums["f32_noise"].add(golden, references.logits(hidden[torch.float64][rows]))
            else:
                sums["bf16_transformers"].add(references.logits(hidden[torch.bfloat16][rows]).float(), golden)
    return dict(name=name, tokens=len(ids), **sums)


def verdict(results: list[dict]) -> dict:
    def mean_kl(key: str) -> float:
        return sum(sum(r[key].kl) for r in results) / sum(r["tokens"] for r in results)

    f32_holds = all(
        r["f32"].other_best_no_tie == 0 and r["f32"].nmse <= max(MOST_NMSE, NOISE_FACTOR * r["f32_noise"].nmse)
        for r in results
    )
    return dict(
        prompts=len(results), positions=sum(r["tokens"] for r in results),
        past_512=sum(r["tokens"] > 512 for r in results),
        f32_worst_nmse=max(r["f32"].nmse for r in results),
        f32_noise_worst_nmse=max(r["f32_noise"].nmse for r in results),
        f32_other_best=sum(r["f32"].other_best for r in results),
        f32_other_best_beyond_ties=sum(r["f32"].other_best_no_tie for r in results), f32_holds=f32_holds,
        bf16_kl_mean=mean_kl("bf16"), bf16_kl_mean_transformers=mean_kl("bf16_transformers"),
        bf16_other_best=sum(r["bf16"].other_best for r in results),
        bf16_other_best_transformers=sum(r["bf16_transformers"].other_best for r in results),
        bf16_holds=mean_kl("bf16") <= mean_kl("bf16_transformers"),
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=os.environ.get("POPLENS_CACHE"))
    parser.add_argument("--scratch", type=Path, help="where logits are written (the cache, if it is not given)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", choices=PROMPTS, help="names of prompts")
    parser.add_argument("--out", type=Path, help="a JSON file of the table")
    options = parser.parse_args()
    if options.cache is None:
        parser.error("--cache or POPLENS_CACHE must name the folder of fetch_gemma3_270m.py")
    options.model = Path(options.cache) / "gemma-3-270m"
    options.scratch = options.scratch or Path(options.cache)
    torch.set_num_threads(options.threads)
    tokenizer = Tokenizer.from_file(str(options.model / "tokenizer.json"))
    results = []
    with torch.no_grad():
        references = References(options.model)
        for name in options.only or PROMPTS:
            results.append(compare_prompt(options, references, tokenizer, name, PROMPTS[name]))
            table = {k: v.as_json() if isinstance(v, Sums) else v for k, v in results[-1].items()}
            print(json.dumps(table), flush=True)
    summary = verdict(results)
    print(json.dumps(summary, indent=1))
    if options.out is not None:
        table = [{k: v.as_json() if isinstance(v, Sums) else v for k, v in r.items()} for r in results]
        options.out.write_text(json.dumps(dict(summary=summary, prompts=table), indent=1) + "\n")
    for dtype in ("f32", "bf16"):
        (options.scratch / f"gemma3_270m_{dtype}.npy").unlink(missing_ok=True)
    return 0 if summary["f32_holds"] and summary["bf16_holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
