#!/usr/bin/env python3
"""How far the estimate of a layer's importance reaches: the loss with one gate at other values than 0 and 1.

    python gate_steps.py --model FOLDER --data prose.jsonl --profile profile.json --samples 16

The estimate of arXiv 2602.03295 is an expansion at the full model: going from 1 to 1 - step, a gate with the derivative g
is expected to cost  -step * E[g] + step^2 / 2 * E[g^2], where E[g^2] stands for the second derivative. transformers
measures in float32, for every layer and both stages,

  - the loss at several steps, up to the closed gate,
  - the second derivative by central differences, which E[g^2] stands for,

and the rank correlations over the layers say where the estimate goes wrong: in E[g^2], or in expanding at all. E[g] and
E[g^2] are the profile's, measured on the same file. Gemma-3 text models that continue prose; prompts within the window.
"""

import argparse
import copy
import json
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

STEPS = (0.1, 0.25, 0.5, 0.75, 1.0)
DIFFERENCE = 0.05


def rank_correlation(a, b):
    ranks = torch.stack([torch.as_tensor(values).argsort().argsort().double() for values in (a, b)])
    return float(torch.corrcoef(ranks)[0, 1])


class Gates:
    """One factor in row l of a batch, on what both branches of layer l add at the positions `positions`."""

    def __init__(self, model):
        self.factor, self.positions = None, slice(None)
        for index, layer in enumerate(model.model.layers):
            for branch in (layer.post_attention_layernorm, layer.post_feedforward_layernorm):
                branch.register_forward_hook(self.hook_of(index))

    def hook_of(self, index):
        def scale(module, arguments, output):
            if self.factor is None:
                return None
            output = output.clone()
            output[index, self.positions] *= self.factor
            return output

        return scale


class Losses:
    """The answer's loss in nats, with a gate of each layer in turn at a factor: [layers]."""

    def __init__(self, model, gates, prompt, answer, stage):
        self.model, self.gates, self.stage = model, gates, stage
        self.answer = torch.tensor(answer)
        self.last = torch.tensor([prompt[-1:] + answer[:-1]])
        self.prompt = torch.tensor([prompt[:-1]])
        self.layers = len(model.model.layers)
        gates.factor = None
        self.cache = model(self.prompt, use_cache=True).past_key_values

    def at(self, factor):
        rows = 1 if factor is None else self.layers
        if factor is not None and self.stage == "prefill":
            self.gates.factor, self.gates.positions = factor, slice(None)
            cache = self.model(self.prompt.expand(rows, -1), use_cache=True).past_key_values
        else:
            cache = copy.deepcopy(self.cache)
            cache.batch_repeat_interleave(rows)
        self.gates.factor = factor if self.stage == "decode" else None
        logits = self.model(self.last.expand(rows, -1), cache=cache).logits
        self.gates.factor = None
        targets = self.answer.expand(rows, -1)
        return torch.nn.functional.cross_entropy(logits.transpose(1, 2), targets, reduction="none").double().sum(1)


def measure(model, gates, tokenizer, lines, stage):
    """Means over the samples: rise of the loss at each step, first and second derivative, square of the first: [layers]."""
    rises, slope, square, bend = {step: 0.0 for step in STEPS}, 0.0, 0.0, 0.0
    for line in lines:
        prompt = tokenizer.encode(line["prompt"])
        losses = Losses(model, gates, prompt, tokenizer.encode(line["answer"], add_special_tokens=False), stage)
        whole, below, above = losses.at(None), losses.at(1.0 - DIFFERENCE), losses.at(1.0 + DIFFERENCE)
        derivative = (above - below) / (2.0 * DIFFERENCE)
        slope = slope + derivative / len(lines)
        square = square + derivative**2 / len(lines)
        bend = bend + (above + below - 2.0 * whole) / DIFFERENCE**2 / len(lines)
        for step in STEPS:
            rises[step] = rises[step] + (losses.at(1.0 - step) - whole) / len(lines)
    return rises, slope, square, bend


def report(stage, figures, measured):
    rises, slope, square, bend = measured
    gradient = torch.tensor([figure["gradient"] for figure in figures], dtype=torch.double)
    fisher = torch.tensor([figure["fisher"] for figure in figures], dtype=torch.double)
    print(f"\n{stage}\nlayer    -E[g]  here    E[g^2]/2  here   true curvature/2   rise at " + ", ".join(map(str, STEPS)))
    for layer in range(len(figures)):
        print(f"{layer:5} {-gradient[layer]:9.2f} {-slope[layer]:6.2f} {fisher[layer] / 2:10.2f} {square[layer] / 2:7.2f} "
              f"{bend[layer] / 2:13.2f}        " + " ".join(f"{rises[step][layer]:8.2f}" for step in STEPS))  # fmt: skip
    print("rank correlation with the measured rise at step:  " + "  ".join(f"{step:5}" for step in STEPS))
    for name, curvature in (("E[g^2]", fisher), ("true curvature", bend)):
        found = (rank_correlation(-step * gradient + step**2 / 2 * curvature, rises[step]) for step in STEPS)
        print(f"  expansion with {name:15}                    " + "  ".join(f"{one:5.2f}" for one in found))
    found = (rank_correlation(rises[step], rises[1.0]) for step in STEPS)
    print("  measured rise, with that of the closed gate        " + "  ".join(f"{one:5.2f}" for one in found), flush=True)


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="a Gemma-3 text model's folder")
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--profile", required=True, type=Path)
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--stages", default="decode", help="decode, prefill or both with a comma; prefill takes far longer")
    options = parser.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    model = AutoModelForCausalLM.from_pretrained(options.model, dtype=torch.float32).eval()
    gates = Gates(model)
    profile = json.loads(options.profile.read_text())
    lines = [json.loads(line) for line in options.data.read_text().splitlines()][: options.samples]
    for stage in options.stages.split(","):
        report(stage, [entry[stage] for entry in profile["layers"]], measure(model, gates, tokenizer, lines, stage))


if __name__ == "__main__":
    main()
