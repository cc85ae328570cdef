"""Llama as it has been misread by other engines: each a context in which the model computes something else."""

from collections.abc import Iterator
from unittest import mock

import torch
from torch import nn
from transformers import LlamaForCausalLM
from transformers.models.llama import modeling_llama

from common.family import Misreading
from common.sensitivity import in_every_layer

from .checkpoints import Checkpoint


def misreadings(c: Checkpoint, model: LlamaForCausalLM, pictures: int) -> Iterator[Misreading]:
    rotary = model.model.rotary_emb
    head_dim = model.model.layers[0].self_attn.head_dim
    unscaled = 1.0 / c.rope_theta ** (torch.arange(0, head_dim, 2).float() / head_dim)
    factor, length = c.rope_scaling["factor"], c.rope_scaling["original_max_position_embeddings"]
    wavelengths = 2 * torch.pi / unscaled
    frequencies = {
        "no position at all": unscaled * 0,
        "RoPE scaling ignored": unscaled,
        "RoPE scaling of every frequency": unscaled / factor,
        "RoPE scaling without the mixed ones": torch.where(wavelengths < length / 4, unscaled, unscaled / factor),
        "RoPE scaling with the mixed ones as they are": torch.where(wavelengths > length, unscaled / factor, unscaled),
    }
    for name, values in frequencies.items():
        yield name, mock.patch.object(rotary, "inv_freq", values)
    yield "rotation of neighbouring pairs", mock.patch.object(modeling_llama, "apply_rotary_pos_emb", _rotate_neighbours)
    yield "exact GELU", in_every_layer(model.model.layers, lambda layer: (layer.mlp, "act_fn", nn.GELU()))


def _rotate_neighbours(q, k, cos, sin, unsqueeze_dim=1):
    half = cos.shape[-1] // 2
    cos, sin = (x[..., :half].repeat_interleave(2, -1).unsqueeze(unsqueeze_dim) for x in (cos, sin))

    def turned(x):
        return torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)

    return q * cos + turned(q) * sin, k * cos + turned(k) * sin
