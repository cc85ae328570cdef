"""What `common/decoder_walk.py` must know of Llama."""

import torch
from transformers import LlamaForCausalLM
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

from common.decoder_walk import DecoderParts
from common.prompts import Prompt


def decoder_parts(model: LlamaForCausalLM, prompt: Prompt) -> DecoderParts:
    decoder = model.model
    embedded = decoder.embed_tokens(prompt.ids)

    def rope(layer: int, start: int, end: int):
        return decoder.rotary_emb(embedded, torch.arange(start, end)[None])

    def project_keys_values(layer: int, hidden: torch.Tensor, start: int, end: int):
        block = decoder.layers[layer]
        attention = block.self_attn
        normed = block.input_layernorm(hidden)
        heads = (*normed.shape[:-1], -1, attention.head_dim)
        keys = attention.k_proj(normed).view(heads).transpose(1, 2)
        values = attention.v_proj(normed).view(heads).transpose(1, 2)
        return apply_rotary_pos_emb(keys, keys, *rope(layer, start, end))[1], values

    return DecoderParts(
        layers=decoder.layers,
        embedded=embedded,
        embed=decoder.embed_tokens,
        rope=rope,
        project_keys_values=project_keys_values,
        head=lambda hidden: model.lm_head(decoder.norm(hidden)),
    )
