"""Proves that the golden cases notice a part left out and a part misread.

Every tensor of a checkpoint is neutralised once (norm weights become 1, all others 0; the query, key and value parts of
a joint bias one by one): the logits must move by LEFT_OUT_BOUND at least (normalised mean square error). Each misreading
must move them by MISREAD_BOUND, more than a parity test lets pass (1e-9). Attention must be sharp on the average.
"""

from contextlib import contextmanager
from pathlib import Path

import torch
from torch import nn

from common.measures import nmse, relative_entropy

from . import misreadings
from .cases import CASES
from .checkpoints import CHECKPOINTS, Checkpoint
from .goldens import load
from .prompts import Prompt, PromptBuilder

LEFT_OUT_BOUND = 1e-4
MISREAD_BOUND = 3e-9
ENTROPY_BOUND = 0.8  # of a uniform attention's entropy
PROVING_CASES = ("text_only", "one_image", "two_images")


def neutral_values(model: nn.Module):
    """Yields each tensor, or part of one: its name, its values, and the number that takes their effect away."""
    for name, parameter in model.named_parameters():
        number = 1.0 if name.endswith("weight") and parameter.ndim == 1 else 0.0
        if name.endswith("qkv.bias"):
            for part, values in zip(("query", "key", "value"), parameter.data.chunk(3)):
                yield f"{name} ({part})", values, number
        else:
            yield name, parameter.data, number


@contextmanager
def filled(values: torch.Tensor, number: float):
    original = values.clone()
    values.fill_(number)
    try:
        yield
    finally:
        values.copy_(original)


def attention_entropy(model, prompt: Prompt) -> dict[str, torch.Tensor]:
    """Entropy of each head relative to uniform attention, [heads], by layer."""
    entropies: dict[str, torch.Tensor] = {}

    def hook(name):
        def record(module, arguments, output):
            entropies[name] = relative_entropy(output[1][0])

        return record

    layers = model.model.language_model.layers
    handles = [layer.self_attn.register_forward_hook(hook(f"layer {i}")) for i, layer in enumerate(layers)]
    model.set_attn_implementation("eager")
    try:
        model(**prompt.model_inputs())
    finally:
        model.set_attn_implementation("sdpa")
        for handle in handles:
            handle.remove()
    return entropies


def prove_checkpoint(c: Checkpoint, folder: Path, pictures: Path) -> bool:
    model = load(folder, torch.float32)
    builder = PromptBuilder(folder, pictures, model)
    holds = True
    for case in (case for case in CASES if case.name in PROVING_CASES):
        prompt = builder.build(case.messages)
        golden = model(**prompt.model_inputs()).logits[0]

        def moved_by(context) -> float:
            with context:
                return nmse(model(**prompt.model_inputs()).logits[0], golden)

        left_out = {
            name: moved_by(filled(values, number))
            for name, values, number in neutral_values(model)
            if prompt.grids is not None or ".visual." not in name
        }
        misread = {name: moved_by(context) for name, context in misreadings.in_text(model)}
        if prompt.grids is not None:
            misread |= {name: moved_by(context) for name, context in misreadings.in_pictures(c, model)}
        entropies = attention_entropy(model, prompt)
        averages = {name: float(heads.mean()) for name, heads in entropies.items()}
        flattest_head = max(float(heads.max()) for heads in entropies.values())
        holds &= min(left_out.values()) >= LEFT_OUT_BOUND and min(misread.values()) >= MISREAD_BOUND
        holds &= max(averages.values()) <= ENTROPY_BOUND
        print(f"{c.name} {case.name}: {len(left_out)} tensors left out, {len(misread)} misreadings")
        print(f"  least moved by leaving out: {_least(left_out)}")
        print(f"  least moved by misreading:  {_least(misread)}")
        print(f"  attention entropy / uniform, by layer: {' '.join(f'{value:.2f}' for value in averages.values())}")
        print(f"  attention entropy / uniform, flattest head: {flattest_head:.2f}")
    return holds


def _least(moved: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.1e}" for name, value in sorted(moved.items(), key=lambda item: item[1])[:4])


def prove(data: Path) -> bool:
    """data: tests/data. Prints the least deviations; false if one stays under its bound."""
    return all([prove_checkpoint(c, data / "qwen3_vl" / c.name, data / "pictures") for c in CHECKPOINTS])
