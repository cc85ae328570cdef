"""Prefill-only pruning (POP) written with the layers of transformers: the reference for every family.

A prompt of N positions is split at the first boundary row b. Positions 0..b-1 are the prefill: a pruned layer leaves
their residual stream as it is and only writes its keys and values, projected from the stream that passes by; what is
added beside the two gated branches (DeepStack features) is added all the same. The boundary rows b..N-1 and the answer
run through every layer, against the cache that the prefill left. With no pruned layer this is the model as it is.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import torch
from transformers import DynamicCache


@dataclass
class DecoderParts:
    """A prompt on one decoder. Positions `start` to `end` count the sequence; those past the prompt are the answer's.

    rope(layer, start, end) gives what the layer takes as position_embeddings; project_keys_values(layer, hidden, start,
    end) the keys (normed, rotated) and values, each [1, kv heads, rows, head_dim]; head the logits; after_layer(layer,
    hidden, start, end) the stream with what is added beside the layer; sees(layer, rows, keys) which keys a row sees.
    """

    layers: torch.nn.ModuleList
    embedded: torch.Tensor  # [1, N, hidden], pictures in place
    embed: Callable
    rope: Callable
    project_keys_values: Callable
    head: Callable
    after_layer: Callable = lambda layer, hidden, start, end: hidden
    sees: Callable = lambda layer, rows, keys: keys <= rows


@dataclass
class Walk:
    residual: torch.Tensor  # [layers + 1, rows, hidden]: what enters layer 0, then what leaves each layer
    logits: torch.Tensor  # [rows, vocabulary]


@dataclass
class Greedy:
    tokens: list[int]
    gaps: list[float]  # best logit less the second best, at each step


def additive_mask(parts: DecoderParts, layer: int, start: int, end: int, dtype: torch.dtype) -> torch.Tensor:
    """By index in the sequence, [1, 1, rows, end]."""
    rows, keys = torch.arange(start, end)[:, None], torch.arange(end)[None, :]
    return torch.where(parts.sees(layer, rows, keys), 0.0, -torch.inf).to(dtype)[None, None]


def run_rows(parts: DecoderParts, cache: DynamicCache, hidden: torch.Tensor, start: int, pruned: Collection[int]) -> Walk:
    """hidden: [1, rows, hidden], the rows from `start` on; the cache holds 0..start-1 and is extended."""
    end = start + hidden.shape[1]
    residual = [hidden[0]]
    for index, layer in enumerate(parts.layers):
        if index in pruned:
            cache.update(*parts.project_keys_values(index, hidden, start, end), index)
        else:
            mask = additive_mask(parts, index, start, end, hidden.dtype)
            hidden = layer(hidden, position_embeddings=parts.rope(index, start, end), attention_mask=mask, cache=cache)
        hidden = parts.after_layer(index, hidden, start, end)
        residual.append(hidden[0])
    return Walk(torch.stack(residual), parts.head(hidden)[0])


def prefill(parts: DecoderParts, pruned: Collection[int], boundary_start: int) -> tuple[Walk, DynamicCache]:
    """Runs the whole prompt under a plan. The walk is that of the boundary rows (of all rows for boundary_start 0)."""
    cache = DynamicCache()  # without a configuration: keeps every position of every layer, whatever a mask hides
    if boundary_start > 0:
        run_rows(parts, cache, parts.embedded[:, :boundary_start], 0, pruned)
    return run_rows(parts, cache, parts.embedded[:, boundary_start:], boundary_start, ()), cache


def decode_greedy(parts: DecoderParts, cache: DynamicCache, logits: torch.Tensor, count: int) -> Greedy:
    """logits: those of the last prompt position. The full model runs on the cache, whatever the prefill left out."""
    result = Greedy([], [])
    while True:
        best = logits.topk(2)
        result.tokens.append(int(best.indices[0]))
        result.gaps.append(float(best.values[0] - best.values[1]))
        if len(result.tokens) == count:
            return result
        token = parts.embed(torch.tensor([[result.tokens[-1]]]))
        logits = run_rows(parts, cache, token, cache.get_seq_length(), ()).logits[-1]


def boundary_start(boundary: str | int, image_mask: torch.Tensor) -> int:
    """First row of the boundary `last`, `text` (all after the last picture; without one, `last`) or a number of rows.

    A boundary that would cut a picture grows to the picture's first token. image_mask: [N], true at image tokens.
    """
    length = image_mask.shape[0]
    pictures = image_mask.nonzero().flatten().tolist()
    if boundary == "text" and pictures:
        return min(pictures[-1] + 1, length - 1)
    start = max(0, length - (1 if boundary in ("last", "text") else int(boundary)))
    while start > 0 and image_mask[start] and image_mask[start - 1]:
        start -= 1
    return start
