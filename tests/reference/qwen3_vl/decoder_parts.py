"""What `common/decoder_walk.py` must know of Qwen3-VL's text tower."""

import torch
from transformers import Qwen3VLForConditionalGeneration
from transformers.models.qwen3_vl.modeling_qwen3_vl import apply_rotary_pos_emb

from common.decoder_walk import DecoderParts
from common.prompts import Prompt


def decoder_parts(model: Qwen3VLForConditionalGeneration, prompt: Prompt) -> DecoderParts:
    tower = model.model.language_model
    length = prompt.ids.shape[1]
    image_mask = prompt.image_mask[0]
    embedded = tower.embed_tokens(prompt.ids)
    features: list[torch.Tensor] = []
    if prompt.grids is not None:
        vision = model.model.get_image_features(prompt.pixel_values, prompt.grids, return_dict=True)
        embedded[0, image_mask] = torch.cat(vision.pooler_output)
        features = [torch.cat(feature) for feature in vision.deepstack_features]

    def rope(layer: int, start: int, end: int):
        beyond = torch.arange(length, max(end, length)) + prompt.delta
        positions = torch.cat([prompt.positions, beyond.expand(3, 1, -1)], dim=2)[:, :, start:end]
        return tower.rotary_emb(embedded, positions)

    def project_keys_values(layer: int, hidden: torch.Tensor, start: int, end: int):
        block = tower.layers[layer]
        attention = block.self_attn
        normed = block.input_layernorm(hidden)
        heads = (*normed.shape[:-1], -1, attention.head_dim)
        keys = attention.k_norm(attention.k_proj(normed).view(heads)).transpose(1, 2)
        values = attention.v_proj(normed).view(heads).transpose(1, 2)
        cos, sin = rope(layer, start, end)
        return apply_rotary_pos_emb(keys, keys, cos, sin)[1], values

    def after_layer(layer: int, hidden: torch.Tensor, start: int, end: int):
        if layer >= len(features) or start >= length:
            return hidden
        hidden = hidden.clone()
        before = int(image_mask[:start].sum())
        rows = image_mask[start:end]
        hidden[0, rows] += features[layer][before : before + int(rows.sum())]
        return hidden

    return DecoderParts(
        layers=tower.layers,
        embedded=embedded,
        embed=tower.embed_tokens,
        rope=rope,
        project_keys_values=project_keys_values,
        after_layer=after_layer,
        head=lambda hidden: model.lm_head(tower.norm(hidden)),
    )
