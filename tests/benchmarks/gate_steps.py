#!/usr/bin/env python3
"""How far the estimate of a layer's importance reaches: the loss with one gate at 1 - step, for several steps.

    python gate_steps.py --model FOLDER --data prose.jsonl --samples 16 --profile profile.json

The estimate of arXiv 2602.03295 is a second-order expansion at the full model: going from 1 to 1 - step, a gate with the
derivative g is expected to cost  -step * E[g] + step^2 / 2 * E[g^2]. For each stage and step, the rank correlation over
the layers of what that says with what transformers measures in float32, and both of a few layers. Text only: for base
models that continue prose. With --profile, E[g] and E[g^2] are that profile's; it was measured on the same file.
"""

import argparse
import json
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

STEPS = (0.05, 0.3, 1.0)


def ranks(values):
    order = torch.tensor(values).argsort()
    result = torch.empty(len(values))
    result[order] = torch.arange(len(values), dtype=torch.float32)
    return result


def rank_correlation(a, b):
    return float(torch.corrcoef(torch.stack([ranks(a), ranks(b)]))[0, 1])


class Gates:
    """Factors on what both branches of one layer add, at the positions of one stage."""

    def __init__(self, model):
        self.layer, self.factor, self.rows = None, 1.0, slice(None)
        for index, layer in enumerate(model.model.layers):
            for branch in (layer.post_attention_layernorm, layer.post_feedforward_layernorm):
                branch.register_forward_hook(self.hook_of(index))

    def hook_of(self, index):
        def scale(module, arguments, output):
            if index != self.layer:
                return None
            output = output.clone()
            output[:, self.rows] *= self.factor
            return output

        return scale


@torch.no_grad()
def answer_loss(model, ids, answer):
    tokens = torch.tensor([ids + answer[:-1]])
    logits = model(tokens).logits[0, len(ids) - 1 :]
    return float(torch.nn.functional.cross_entropy(logits.double(), torch.tensor(answer), reduction="sum"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="a Gemma-3 text model's folder")
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--profile", required=True, type=Path)
    parser.add_argument("--samples", type=int, default=16)
    options = parser.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    model = AutoModelForCausalLM.from_pretrained(options.model, dtype=torch.float32).eval()
    gates = Gates(model)
    profile = json.loads(options.profile.read_text())
    lines = [json.loads(line) for line in options.data.read_text().splitlines()][: options.samples]
    layers = len(profile["layers"])

    for stage in ("prefill", "decode"):
        measured = {step: [0.0] * layers for step in STEPS}
        for line in lines:
            ids = tokenizer.encode(line["prompt"])
            answer = tokenizer.encode(line["answer"], add_special_tokens=False)
            gates.layer = None
            whole = answer_loss(model, ids, answer)
            gates.rows = slice(len(ids) - 1, None) if stage == "decode" else slice(0, len(ids) - 1)
            for step in STEPS:
                gates.factor = 1.0 - step
                for layer in range(layers):
                    gates.layer = layer
                    measured[step][layer] += (answer_loss(model, ids, answer) - whole) / len(lines)
        print(f"{stage}: step, rank correlation of estimate and measurement, sum over the layers of both", flush=True)
        for step in STEPS:
            figures = [entry[stage] for entry in profile["layers"]]
            expected = [-step * f["gradient"] + step * step / 2 * f["fisher"] for f in figures]
            print(f"  {step:4.2f}  {rank_correlation(expected, measured[step]):6.3f}  "
                  f"{sum(expected):9.3f} {sum(measured[step]):9.3f}")  # fmt: skip
            print("        " + " ".join(f"{e:.2f}/{m:.2f}" for e, m in zip(expected, measured[step])), flush=True)


if __name__ == "__main__":
    main()
