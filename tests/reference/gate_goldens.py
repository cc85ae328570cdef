#!/usr/bin/env python3
"""Gradients of all virtual gates by autograd, on the tiny checkpoints: tests/data/importance/gates.json.

    python tests/reference/gate_goldens.py

Every branch of every layer is multiplied by a factor of its own at every position. The loss is the sum of the negative
log-likelihoods of a given answer's tokens; its derivative with respect to the factors, at 1, is summed over three classes
of positions: before the text that follows the last picture, that text up to the last position but one, and the last
position with the answer. Models run in float64.
"""

import importlib
import json
from pathlib import Path

import torch
from common.case_file import join_number_lists
from common.decoder_walk import boundary_start
from common.family import Family
from common.float64 import float64_everywhere, in_float64
from common.prompts import Prompt
from make_goldens import FAMILIES
from tokenizers import Tokenizer

DATA = Path(__file__).resolve().parents[1] / "data"
CASES = ("text_only", "one_image", "two_images")
ANSWER = "Two red circles and 7 more."


def with_answer(prompt: Prompt, answer: list[int]) -> dict:
    """What the model is fed: the prompt and the answer but for its last token, which nothing is computed from."""
    more = torch.tensor([answer[:-1]])
    length = prompt.ids.shape[1]
    inputs = prompt.model_inputs()
    inputs["input_ids"] = torch.cat([prompt.ids, more], dim=1)
    inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
    for name, value in prompt.extra_inputs.items():
        if value.dim() == 2 and value.shape[1] == length:
            inputs[name] = torch.cat([value, torch.zeros_like(more, dtype=value.dtype)], dim=1)
    if "pixel_values" in inputs:
        inputs["pixel_values"] = inputs["pixel_values"].double()
    return inputs


def gate_gradients(family: Family, model, prompt: Prompt, answer: list[int]) -> tuple[float, torch.Tensor]:
    """The loss, and its gradients [layers, branches, positions]."""
    inputs = with_answer(prompt, answer)
    layers = family.decoder_layers(model)
    gates = torch.ones(len(layers), 2, inputs["input_ids"].shape[1], dtype=torch.float64, requires_grad=True)
    handles = []
    for index, layer in enumerate(layers):
        for which, branch in enumerate(family.branches(layer)):

            def scale(module, arguments, output, gate=gates[index, which, None, :, None]):
                return (output[0] * gate, *output[1:]) if isinstance(output, tuple) else output * gate

            handles.append(branch.register_forward_hook(scale))
    try:
        logits = model(**inputs).logits[0, prompt.ids.shape[1] - 1 :]
    finally:
        for handle in handles:
            handle.remove()
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor(answer), reduction="sum")
    (gradients,) = torch.autograd.grad(loss, gates)
    return float(loss.detach()), gradients


def golden(family: Family, model, prompt: Prompt, answer: list[int]) -> dict:
    loss, gradients = gate_gradients(family, model, prompt, answer)
    last = prompt.ids.shape[1] - 1
    text = boundary_start("text", prompt.image_mask[0])
    classes = [gradients[..., :text], gradients[..., text:last], gradients[..., last:]]
    sums = torch.stack([part.sum(-1) for part in classes], dim=-1)  # [layers, branches, classes]
    branches = {name: [[float(f"{x:.9g}") for x in row] for row in sums[:, which].tolist()]
                for which, name in enumerate(("attention", "ffn"))}  # fmt: skip
    return dict(answer=answer, text_from=text, decode_from=last, loss=float(f"{loss:.12g}"), **branches)


def main() -> None:
    torch.set_num_threads(1)
    made = []
    for name in FAMILIES:
        family: Family = importlib.import_module(f"{name}.family").FAMILY
        for c in family.checkpoints:
            folder = DATA / family.name / c.name
            f32 = family.load(folder, torch.float32)
            prompts = family.prompt_builder(c, folder, DATA / "pictures", f32)
            answer = Tokenizer.from_file(str(folder / "tokenizer.json")).encode(ANSWER, add_special_tokens=False).ids
            cases = {case.name: case for case in family.cases}
            for case in (cases[name] for name in CASES if name in cases):
                with torch.no_grad():
                    prompt = prompts.build(case.messages)
                with float64_everywhere(*family.float64_modules):
                    model = in_float64(f32).requires_grad_(False)
                    made.append(dict(model=f"{family.name}/{c.name}", case=case.name, **golden(family, model, prompt, answer)))
                print(made[-1]["model"], case.name, len(answer), made[-1]["loss"], flush=True)
    (DATA / "importance").mkdir(exist_ok=True)
    text = join_number_lists(json.dumps(dict(cases=made), indent=1))
    (DATA / "importance" / "gates.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
