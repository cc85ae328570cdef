"""What `common/decoder_walk.py` must know of Gemma-3's decoder."""

import torch
from torch import nn
from transformers.models.gemma3.modeling_gemma3 import apply_rotary_pos_emb

from common.decoder_walk import DecoderParts
from common.prompts import Prompt


def text_model(model: nn.Module) -> nn.Module:
    """Of the model with pictures or without."""
    return getattr(model.model, "language_model", model.model)


def decoder_parts(model: nn.Module, prompt: Prompt) -> DecoderParts:
    decoder = text_model(model)
    config = decoder.config
    embedded = decoder.embed_tokens(prompt.ids)
    if prompt.pixel_values is not None:
        features = model.model.get_image_features(prompt.pixel_values, return_dict=True).pooler_output
        embedded[prompt.image_mask] = features.flatten(0, 1)

    def rope(layer: int, start: int, end: int):
        return decoder.rotary_emb(embedded, torch.arange(start, end)[None], config.layer_types[layer])

    def project_keys_values(layer: int, hidden: torch.Tensor, start: int, end: int):
        block = decoder.layers[layer]
        attention = block.self_attn
        normed = block.input_layernorm(hidden)
        heads = (*normed.shape[:-1], -1, attention.head_dim)
        keys = attention.k_norm(attention.k_proj(normed).view(heads).transpose(1, 2))
        values = attention.v_proj(normed).view(heads).transpose(1, 2)
        return apply_rotary_pos_emb(keys, keys, *rope(layer, start, end))[1], values

    picture = _picture_of_token(prompt.image_mask[0])

    def sees(layer: int, rows: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        seen = keys <= rows
        if keys.max() < len(picture) and rows.max() < len(picture):  # the answer holds no pictures
            seen = seen | ((picture[rows] >= 0) & (picture[rows] == picture[keys]))
        if config.layer_types[layer] == "sliding_attention":
            seen = seen & (keys > rows - config.sliding_window)
        return seen

    return DecoderParts(
        layers=decoder.layers,
        embedded=embedded,
        embed=decoder.embed_tokens,
        rope=rope,
        project_keys_values=project_keys_values,
        head=lambda hidden: model.lm_head(decoder.norm(hidden)),
        sees=sees,
    )


def _picture_of_token(image_mask: torch.Tensor) -> torch.Tensor:
    """[N]: the number of the run of picture tokens that a token stands in, -1 for text."""
    before = torch.cat([torch.tensor([False]), image_mask[:-1]])
    return torch.where(image_mask, (image_mask & ~before).long().cumsum(0), -1)
