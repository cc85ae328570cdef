"""Proves that the golden cases notice a part left out and a part misread.

Every tensor of a checkpoint is neutralised once (what scales becomes 1, all else 0): the logits must move by
LEFT_OUT_BOUND at least (normalised mean square error). Each misreading must move them by MISREAD_BOUND, more than a
parity test lets pass (1e-9). Attention must be sharp on the average.
"""

from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock

import torch
from torch import nn

from common.family import Checkpoint, Family
from common.measures import nmse, relative_entropy
from common.prompts import Prompt

LEFT_OUT_BOUND = 1e-4
MISREAD_BOUND = 3e-9
ENTROPY_BOUND = 0.8  # of a uniform attention's entropy


def neutral_values(family: Family, model: nn.Module):
    """Yields each tensor, or part of one: its name, its values, and the number that takes their effect away."""
    for name, parameter in model.named_parameters():
        if family.neutral_parts is not None:
            yield from family.neutral_parts(name, parameter.data)
        else:
            yield name, parameter.data, neutral_number(name, parameter.data)


def neutral_number(name: str, values: torch.Tensor) -> float:
    return 1.0 if name.endswith("weight") and values.ndim == 1 else 0.0


@contextmanager
def filled(values: torch.Tensor, number: float):
    original = values.clone()
    values.fill_(number)
    try:
        yield
    finally:
        values.copy_(original)


@contextmanager
def in_every_layer(layers: nn.ModuleList, what: Callable):
    """what: from a layer to (object, attribute, value)."""
    with ExitStack() as stack:
        for layer in layers:
            stack.enter_context(mock.patch.object(*what(layer)))
        yield


def attention_entropy(family: Family, model: nn.Module, prompt: Prompt) -> dict[str, torch.Tensor]:
    """Entropy of each head relative to uniform attention, [heads], by layer."""
    entropies: dict[str, torch.Tensor] = {}

    def hook(name):
        def record(module, arguments, output):
            entropies[name] = relative_entropy(output[1][0])

        return record

    layers = family.decoder_layers(model)
    handles = [layer.self_attn.register_forward_hook(hook(f"layer {i}")) for i, layer in enumerate(layers)]
    model.set_attn_implementation("eager")
    try:
        model(**prompt.model_inputs())
    finally:
        model.set_attn_implementation("sdpa")
        for handle in handles:
            handle.remove()
    return entropies


def prove_checkpoint(family: Family, c: Checkpoint, folder: Path, pictures: Path) -> bool:
    model = family.load(folder, torch.float32)
    builder = family.prompt_builder(c, folder, pictures, model)
    holds = True
    for case in (case for case in family.cases if case.name in family.proving_cases):
        prompt = builder.build(case.messages)
        pictures_in_prompt = 0 if prompt.grids is None else len(prompt.grids)
        golden = model(**prompt.model_inputs()).logits[0]

        def moved_by(context) -> float:
            with context:
                return nmse(model(**prompt.model_inputs()).logits[0], golden)

        left_out = {
            name: moved_by(filled(values, number))
            for name, values, number in neutral_values(family, model)
            if pictures_in_prompt or not family.is_vision(name)
        }
        misread = {name: moved_by(context) for name, context in family.misreadings(c, model, pictures_in_prompt)}
        entropies = attention_entropy(family, model, prompt)
        averages = {name: float(heads.mean()) for name, heads in entropies.items()}
        flattest_head = max(float(heads.max()) for heads in entropies.values())
        holds &= min(left_out.values()) >= LEFT_OUT_BOUND and min(misread.values()) >= MISREAD_BOUND
        holds &= max(averages.values()) <= ENTROPY_BOUND
        print(f"{c.name} {case.name}: {len(left_out)} tensors left out, {len(misread)} misreadings")
        print(f"  least moved by leaving out: {_least(left_out)}")
        print(f"  least moved by misreading:  {_least(misread)}")
        print(f"  attention entropy / uniform, by layer: {' '.join(f'{value:.2f}' for value in averages.values())}")
        print(f"  attention entropy / uniform, flattest head: {flattest_head:.2f}", flush=True)
    return holds


def _least(moved: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.1e}" for name, value in sorted(moved.items(), key=lambda item: item[1])[:4])


def prove(family: Family, data: Path) -> bool:
    """data: tests/data. Prints the least deviations; false if one stays under its bound."""
    folder = data / family.name
    return all([prove_checkpoint(family, c, folder / c.name, data / "pictures") for c in family.checkpoints])
