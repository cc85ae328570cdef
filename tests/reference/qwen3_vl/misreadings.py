"""Qwen3-VL as it has been misread by other engines: each a context in which the model computes something else."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from unittest import mock

import torch
from torch import nn
from transformers import Qwen3VLForConditionalGeneration

from common.family import Misreading

from .checkpoints import Checkpoint


def misreadings(c: Checkpoint, model: Qwen3VLForConditionalGeneration, pictures: int) -> Iterator[Misreading]:
    yield from in_text(model)
    if pictures:
        yield from in_pictures(c, model)


def in_text(model: Qwen3VLForConditionalGeneration) -> Iterator[Misreading]:
    """Those that text alone must notice."""
    for index, layer in enumerate(model.model.language_model.layers):
        yield f"layer {index}: no norm of the queries", _forward(layer.self_attn.q_norm, lambda x: x)
        yield f"layer {index}: no norm of the keys", _forward(layer.self_attn.k_norm, lambda x: x)
    yield "no position at all", _positions(model, lambda positions: positions * 0)


def in_pictures(c: Checkpoint, model: Qwen3VLForConditionalGeneration) -> Iterator[Misreading]:
    text, vision = model.model.language_model, model.model.visual
    vision_rope = vision.rotary_pos_emb
    mergers = {"merger": vision.merger}
    for k, merger in enumerate(vision.deepstack_merger_list):
        mergers[f"DeepStack merger {k}"] = merger
        yield f"DeepStack feature {k} left out", _deepstack(text, lambda fs, k=k: [f * (i != k) for i, f in enumerate(fs)])
    yield "DeepStack features in the wrong order", _deepstack(text, lambda features: features[::-1])
    yield "DeepStack features one row late", _deepstack(text, lambda features: [f.roll(1, 0) for f in features])
    yield "M-RoPE sections in a row", _recomposed(text.rotary_emb, lambda f: _sections_in_a_row(c.mrope_section, f))
    yield "one position per token", _positions(model, lambda p: torch.arange(p.shape[-1]).expand(3, 1, -1))
    yield "height and width positions swapped", _positions(model, lambda p: p[[0, 2, 1]])
    yield "a picture advances the position by one", _positions(model, _advance_by_one)
    yield "no rotation in the vision tower", mock.patch.object(vision_rope, "inv_freq", vision_rope.inv_freq * 0)
    yield "vision tower rotates rows by column", _recomposed(vision_rope, lambda f: _both(f[:, 1], f[:, 0]))
    yield "position table at half-pixel centres", mock.patch.object(vision, "interpolation_align_corners", False)
    for name, merger in mergers.items():
        yield f"{name}: GELU by tanh", mock.patch.object(merger, "act_fn", nn.GELU(approximate="tanh"))
    for index, block in enumerate(vision.blocks):
        yield f"vision block {index}: exact GELU", mock.patch.object(block.mlp, "act_fn", nn.GELU())


def _forward(module: nn.Module, forward: Callable) -> AbstractContextManager:
    return mock.patch.object(module, "forward", forward)


def _deepstack(text: nn.Module, change: Callable) -> AbstractContextManager:
    original = text.forward

    def forward(*arguments, deepstack_visual_embeds=None, **named):
        return original(*arguments, deepstack_visual_embeds=change(deepstack_visual_embeds), **named)

    return _forward(text, forward)


def _positions(model: Qwen3VLForConditionalGeneration, change: Callable) -> AbstractContextManager:
    """change: from positions [3, 1, N] to others."""
    original = model.model.language_model.forward

    def forward(*arguments, position_ids=None, inputs_embeds=None, **named):
        if position_ids is None:
            position_ids = torch.arange(inputs_embeds.shape[1]).expand(3, 1, -1)
        return original(*arguments, position_ids=change(position_ids), inputs_embeds=inputs_embeds, **named)

    return _forward(model.model.language_model, forward)


def _advance_by_one(positions: torch.Tensor) -> torch.Tensor:
    """Text after a picture goes on one after the picture's first position, as if the picture were one token."""
    temporal = positions[0, 0]
    same_as_before = torch.cat([torch.tensor([False]), temporal[1:] == temporal[:-1]])
    shifted = (~same_as_before).long().cumsum(0) - 1
    return positions + (shifted - temporal)


def _recomposed(rotary: nn.Module, recompose: Callable) -> AbstractContextManager:
    return mock.patch.object(rotary, "recomposition_frequencies", recompose)


def _sections_in_a_row(sections: list[int], freq: torch.Tensor) -> torch.Tensor:
    parts = [freq[axis, ..., sum(sections[:axis]) : sum(sections[: axis + 1])] for axis in range(3)]
    return _both(*parts)


def _both(*parts: torch.Tensor) -> torch.Tensor:
    half = torch.cat(parts, dim=-1)
    return torch.cat([half, half], dim=-1)
