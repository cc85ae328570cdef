"""The decoder's forward pass over transformers' weights, for packed sequences."""

import torch
import torch.nn.functional as F

from architecture import Architecture
from vision_tower import rotate

TEXT = "model.language_model."
LAYER_TENSORS = [
    "input_layernorm.weight", "self_attn.q_proj.weight", "self_attn.k_proj.weight",
    "self_attn.v_proj.weight", "self_attn.q_norm.weight", "self_attn.k_norm.weight",
    "self_attn.o_proj.weight", "post_attention_layernorm.weight", "mlp.gate_proj.weight",
    "mlp.up_proj.weight", "mlp.down_proj.weight",
]  # fmt: skip


def mrope_tables(a: Architecture, positions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """cos and sin `[batch, tokens, 1, head_dim]` from positions `[3, batch, tokens]` (t, h, w)."""
    half = a.head_dim // 2
    frequencies = 1.0 / (a.rope_theta ** (torch.arange(half).float() / half))
    axis = torch.zeros(half, dtype=torch.long)
    axis[1 : 3 * a.mrope_section[1] : 3] = 1
    axis[2 : 3 * a.mrope_section[2] : 3] = 2
    angles = positions.float()[axis].permute(1, 2, 0) * frequencies
    angles = torch.cat([angles, angles], dim=-1)[:, :, None, :]
    return angles.cos(), angles.sin()


def rms_norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def decoder_layer(
    x, cos, sin, mask, heads: int, kv_heads: int, n1, wq, wk, wv, nq, nk, wo, n2, wg, wu, wd
):
    """One layer on `[batch, tokens, hidden]`; `mask` `[batch, tokens, tokens]` is added to the scores."""
    batch, count, hidden = x.shape
    dim, group = nq.shape[0], heads // kv_heads
    h = rms_norm(x, n1)
    q = rotate(rms_norm(F.linear(h, wq).view(batch, count, heads, dim), nq), cos, sin) * dim**-0.5
    k = rotate(rms_norm(F.linear(h, wk).view(batch, count, kv_heads, dim), nk), cos, sin)
    v = F.linear(h, wv).view(batch, count, kv_heads, dim)
    q = q.view(batch, count, kv_heads, group, dim).permute(0, 2, 3, 1, 4)
    q = q.reshape(batch * kv_heads, group * count, dim)
    k, v = (t.transpose(1, 2).reshape(batch * kv_heads, count, dim) for t in (k, v))
    scores = torch.bmm(q, k.transpose(1, 2)).view(batch, heads, count, count) + mask[:, None]
    share = scores.softmax(dim=-1).view(batch * kv_heads, group * count, count)
    mixed = torch.bmm(share, v).view(batch, heads, count, dim).transpose(1, 2)
    x = x + F.linear(mixed.reshape(batch, count, heads * dim), wo)
    h = rms_norm(x, n2)
    return x + F.linear(F.silu(F.linear(h, wg)) * F.linear(h, wu), wd)


def decoder_forward(
    a: Architecture,
    weights: dict,
    ids: torch.Tensor,
    positions: torch.Tensor,
    mask: torch.Tensor,
    image_at: int,
    features: list[torch.Tensor],
    layer_function,
) -> torch.Tensor:
    """Hidden states `[batch, tokens, hidden]` after the last norm.

    Every row holds its soft tokens at `image_at`, as many as `features[0]` has; the other features
    are added there after the first layers (DeepStack).
    """
    x = weights[TEXT + "embed_tokens.weight"][ids]
    after = image_at + features[0].shape[1]
    x = torch.cat([x[:, :image_at], features[0], x[:, after:]], dim=1)
    cos, sin = mrope_tables(a, positions)
    pad = (0, 0, image_at, x.shape[1] - after)
    for layer in range(a.layers):
        tensors = [weights[f"{TEXT}layers.{layer}.{name}"] for name in LAYER_TENSORS]
        x = layer_function(x, cos, sin, mask, a.heads, a.kv_heads, *tensors)
        if layer + 1 < len(features):
            x = x + F.pad(features[layer + 1], pad)
    return rms_norm(x, weights[TEXT + "norm.weight"])


def answer_logits(weights: dict, hidden: torch.Tensor) -> torch.Tensor:
    """Logits over the vocabulary through the tied head."""
    return F.linear(hidden, weights[TEXT + "embed_tokens.weight"])
