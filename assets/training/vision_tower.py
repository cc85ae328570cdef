"""The vision tower's forward pass over transformers' weights, for a batch of pictures of one size."""

import functools

import numpy
import torch
import torch.nn.functional as F

from architecture import Architecture

VISUAL = "model.visual."
BLOCK_TENSORS = [
    "norm1.weight", "norm1.bias", "attn.qkv.weight", "attn.qkv.bias", "attn.proj.weight",
    "attn.proj.bias", "norm2.weight", "norm2.bias", "mlp.linear_fc1.weight",
    "mlp.linear_fc1.bias", "mlp.linear_fc2.weight", "mlp.linear_fc2.bias",
]  # fmt: skip


@functools.lru_cache(maxsize=64)
def patch_order(rows: int, columns: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Row and column of every patch, the four of each 2x2 block consecutive."""
    order = torch.arange(rows * columns).view(rows // 2, 2, columns // 2, 2)
    order = order.permute(0, 2, 1, 3).reshape(-1)
    return order // columns, order % columns


def patches_of(pictures: list[numpy.ndarray], patch_px: int) -> torch.Tensor:
    """uint8 pictures `[height, width, 3]` of one size to `[batch, patches, 3 * 16 * 16]` in -1..1."""
    pixels = torch.from_numpy(numpy.stack(pictures))
    batch, height, width, _ = pixels.shape
    p, rows, columns = patch_px, height // patch_px, width // patch_px
    x = pixels.view(batch, rows // 2, 2, p, columns // 2, 2, p, 3)
    x = x.permute(0, 1, 4, 2, 5, 7, 3, 6).reshape(batch, rows * columns, 3 * p * p)
    return x.float() / 127.5 - 1.0


@functools.lru_cache(maxsize=64)
def rotary_tables(a: Architecture, rows: int, columns: int) -> tuple[torch.Tensor, torch.Tensor]:
    """cos and sin `[patches, 1, head_dim]` of the axial 2-D rotary embedding."""
    row, column = patch_order(rows, columns)
    half = a.vision_head_dim // 2
    frequencies = 1.0 / (10000.0 ** (torch.arange(0, half, 2).float() / half))
    angles = torch.cat([row[:, None] * frequencies, column[:, None] * frequencies], dim=-1)
    angles = torch.cat([angles, angles], dim=-1)[:, None, :]
    return angles.cos(), angles.sin()


@functools.lru_cache(maxsize=64)
def interpolation(side: int, rows: int, columns: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Taps `[patches, 4]` and weights of the bilinear position table, corners aligned."""

    def axis(count: int, index: torch.Tensor):
        place = index.float() * (side - 1) / max(count - 1, 1)
        low = place.floor().long()
        return low, (low + 1).clamp(max=side - 1), place - low

    row, column = patch_order(rows, columns)
    top, bottom, down = axis(rows, row)
    left, right, across = axis(columns, column)
    taps = torch.stack(
        [top * side + left, top * side + right, bottom * side + left, bottom * side + right], -1
    )
    weights = torch.stack(
        [(1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across], -1
    )
    return taps, weights


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], dim=-1) * sin


def vision_block(
    x, cos, sin, heads: int, n1w, n1b, qkvw, qkvb, pw, pb, n2w, n2b, f1w, f1b, f2w, f2b
):
    """One pre-norm block on `[batch, patches, hidden]`; attention written out, which compiles best."""
    batch, count, hidden = x.shape
    dim = hidden // heads
    h = F.layer_norm(x, (hidden,), n1w, n1b, 1e-6)
    q, k, v = F.linear(h, qkvw, qkvb).view(batch, count, 3, heads, dim).unbind(2)
    q, k = rotate(q, cos, sin) * dim**-0.5, rotate(k, cos, sin)
    q, k, v = (t.transpose(1, 2).reshape(batch * heads, count, dim) for t in (q, k, v))
    scores = torch.bmm(q, k.transpose(1, 2)).softmax(dim=-1)
    mixed = torch.bmm(scores, v).view(batch, heads, count, dim).transpose(1, 2)
    x = x + F.linear(mixed.reshape(batch, count, hidden), pw, pb)
    h = F.layer_norm(x, (hidden,), n2w, n2b, 1e-6)
    return x + F.linear(F.gelu(F.linear(h, f1w, f1b), approximate="tanh"), f2w, f2b)


def merge(x, weights, name: str, norm_after: bool):
    """One merger: `[batch, patches, hidden]` to soft tokens `[batch, patches / 4, out]`."""
    w = {key: weights[VISUAL + name + key] for key in (
        "norm.weight", "norm.bias", "linear_fc1.weight", "linear_fc1.bias",
        "linear_fc2.weight", "linear_fc2.bias")}  # fmt: skip
    batch, count, hidden = x.shape
    if norm_after:
        x = x.reshape(batch, count // 4, 4 * hidden)
    x = F.layer_norm(x, (x.shape[-1],), w["norm.weight"], w["norm.bias"], 1e-6)
    x = x.reshape(batch, count // 4, 4 * hidden)
    x = F.gelu(F.linear(x, w["linear_fc1.weight"], w["linear_fc1.bias"]))
    return F.linear(x, w["linear_fc2.weight"], w["linear_fc2.bias"])


def vision_forward(
    a: Architecture, weights: dict, patches: torch.Tensor, rows: int, columns: int, block
) -> list[torch.Tensor]:
    """Soft tokens `[batch, patches / 4, hidden]`: the main features, then one per DeepStack layer.

    `block` is `vision_block` or its compiled form.
    """
    kernel = weights[VISUAL + "patch_embed.proj.weight"]
    # A still picture fills both temporal halves with the same pixels: their kernels add up.
    kernel = kernel.sum(2).reshape(kernel.shape[0], -1)
    x = F.linear(patches, kernel, weights[VISUAL + "patch_embed.proj.bias"])
    taps, tap_weights = interpolation(a.position_side, rows, columns)
    table = weights[VISUAL + "pos_embed.weight"]
    x = x + (table[taps] * tap_weights[..., None]).sum(1)
    cos, sin = rotary_tables(a, rows, columns)
    features = []
    for layer in range(a.vision_layers):
        tensors = [weights[f"{VISUAL}blocks.{layer}.{name}"] for name in BLOCK_TENSORS]
        x = block(x, cos, sin, a.vision_heads, *tensors)
        if layer in a.deepstack_layers:
            index = a.deepstack_layers.index(layer)
            features.append(merge(x, weights, f"deepstack_merger_list.{index}.", True))
    return [merge(x, weights, "merger.", False), *features]
