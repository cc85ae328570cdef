"""Gemma-3 as it has been misread by other engines: each a context in which the model computes something else."""

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from unittest import mock

import torch
from torch import nn
from transformers.models.gemma3 import modeling_gemma3

from common.family import Misreading
from common.sensitivity import in_every_layer

from .checkpoints import Checkpoint
from .decoder_parts import text_model


def misreadings(c: Checkpoint, model: nn.Module, pictures: int) -> Iterator[Misreading]:
    yield from in_text(c, model)
    if pictures:
        yield from in_pictures(c, model)
    if pictures > 1:
        yield "two pictures as one", _sequences(lambda ids, device=None: torch.where(ids == 1, 0, -1))


def in_text(c: Checkpoint, model: nn.Module) -> Iterator[Misreading]:
    """Those that text alone must notice."""
    decoder = text_model(model)
    rotary, config, embedding = decoder.rotary_emb, decoder.config, decoder.embed_tokens
    for index, layer in enumerate(decoder.layers):
        for name in ("post_attention_layernorm", "post_feedforward_layernorm"):
            yield f"layer {index}: no {name}", _forward(getattr(layer, name), lambda x: x)
        yield f"layer {index}: no norm of the queries", _forward(layer.self_attn.q_norm, lambda x: x)
        yield f"layer {index}: no norm of the keys", _forward(layer.self_attn.k_norm, lambda x: x)
        yield f"layer {index}: rotated as the other kind", _rotated_as_other(decoder, index)
    yield "norm weights without the 1", mock.patch.object(modeling_gemma3.Gemma3RMSNorm, "forward", _norm_without_one)
    yield "embedding not scaled", mock.patch.object(embedding, "embed_scale", torch.tensor(1.0))
    rounded = embedding.embed_scale.to(torch.bfloat16).float()
    yield "embedding scale rounded to bf16", mock.patch.object(embedding, "embed_scale", rounded)
    yield "window one longer", mock.patch.object(config, "sliding_window", config.sliding_window + 1)
    yield "window one shorter", mock.patch.object(config, "sliding_window", config.sliding_window - 1)
    yield "no window", mock.patch.object(config, "sliding_window", 10**6)
    if c.rope["factor"] != 1:
        full, sliding = "full_attention_inv_freq", "sliding_attention_inv_freq"
        factor = c.rope["factor"]
        yield "linear factor ignored", mock.patch.object(rotary, full, getattr(rotary, full) * factor)
        yield "linear factor in sliding layers", mock.patch.object(rotary, sliding, getattr(rotary, sliding) / factor)
    if config.query_pre_attn_scalar != config.head_dim:
        scale = config.head_dim**-0.5
        yield "queries scaled by the head size", in_every_layer(decoder.layers, lambda layer: (layer.self_attn, "scaling", scale))
    yield "exact GELU", in_every_layer(decoder.layers, lambda layer: (layer.mlp, "act_fn", nn.GELU()))
    yield "SiLU", in_every_layer(decoder.layers, lambda layer: (layer.mlp, "act_fn", nn.SiLU()))


def in_pictures(c: Checkpoint, model: nn.Module) -> Iterator[Misreading]:
    inner = model.model
    projector, tower = inner.multi_modal_projector, inner.vision_tower
    sequences = modeling_gemma3.get_block_sequence_ids_for_mask
    yield "pictures causal", _sequences(lambda ids, device=None: torch.full_like(ids, -1))
    yield "pictures causal in full layers", _masks(lambda both, causal: {**both, "full_attention": causal["full_attention"]})
    yield (
        "pictures causal in sliding layers",
        _masks(lambda both, causal: {**both, "sliding_attention": causal["sliding_attention"]}),
    )
    yield "frame tokens with the picture", _sequences(lambda ids, device=None: sequences(_wider(ids), device))
    yield "features scaled as tokens are", _changed(projector, lambda x: x * math.sqrt(c.text["hidden_size"]))
    yield "features column by column", _changed(projector, _transposed)
    yield "pooled by the largest value", mock.patch.object(projector, "avg_pool", nn.MaxPool2d(projector.kernel_size))
    yield "no norm before the projection", _forward(projector.mm_soft_emb_norm, lambda x: x)
    yield "no norm after the tower", _forward(tower.post_layernorm, lambda x: x)
    for index, layer in enumerate(tower.encoder.layers):
        yield f"vision block {index}: exact GELU", mock.patch.object(layer.mlp, "activation_fn", nn.GELU())


def _forward(module: nn.Module, forward: Callable) -> AbstractContextManager:
    return mock.patch.object(module, "forward", forward)


def _changed(module: nn.Module, change: Callable) -> AbstractContextManager:
    original = module.forward
    return _forward(module, lambda *arguments: change(original(*arguments)))


def _rotated_as_other(decoder: nn.Module, index: int) -> AbstractContextManager:
    layer, kind = decoder.layers[index], decoder.config.layer_types[index]
    other = "sliding_attention" if kind == "full_attention" else "full_attention"
    original = layer.forward

    def forward(hidden, position_embeddings=None, position_ids=None, **named):
        rotated = decoder.rotary_emb(hidden, position_ids, other)
        return original(hidden, position_embeddings=rotated, position_ids=position_ids, **named)

    return _forward(layer, forward)


def _norm_without_one(norm, x):
    return (norm._norm(x.float()) * norm.weight.float()).type_as(x)


def _sequences(function: Callable) -> AbstractContextManager:
    """function: from token types [1, N] to the number of each token's picture, -1 for text."""
    return mock.patch.object(modeling_gemma3, "get_block_sequence_ids_for_mask", function)


def _masks(mix: Callable) -> AbstractContextManager:
    """mix: from the right masks and the causal ones, by kind of layer, to those used."""
    original = modeling_gemma3.create_masks_for_vision_model

    def masks(block_sequence_ids, **named):
        causal = original(block_sequence_ids=torch.full_like(block_sequence_ids, -1), **named)
        return mix(original(block_sequence_ids=block_sequence_ids, **named), causal)

    return mock.patch.object(modeling_gemma3, "create_masks_for_vision_model", masks)


def _wider(token_types: torch.Tensor) -> torch.Tensor:
    """Each picture with the token before it and the token after it."""
    return ((token_types + token_types.roll(1, 1) + token_types.roll(-1, 1)) > 0).long()


def _transposed(features: torch.Tensor) -> torch.Tensor:
    side = math.isqrt(features.shape[1])
    return features.unflatten(1, (side, side)).transpose(1, 2).flatten(1, 2)
