"""The same pruning written the other way, as virtual gates: a check on `decoder_walk.py`.

All rows run through all layers at once; what a pruned layer's attention and FFN would add to the residual stream at the
prefill positions is multiplied by 0.
"""

from collections.abc import Iterable

import torch
from torch import nn

from common.prompts import Prompt


def gated_logits(model: nn.Module, prompt: Prompt, branches: Iterable[nn.Module], boundary_start: int) -> torch.Tensor:
    """branches: the modules whose output the pruned layers add. Returns the boundary rows' logits, [rows, vocabulary]."""
    gate = (torch.arange(prompt.ids.shape[1]) >= boundary_start).to(model.dtype)[None, :, None]

    def close(module, arguments, output):
        return (output[0] * gate, *output[1:]) if isinstance(output, tuple) else output * gate

    handles = [branch.register_forward_hook(close) for branch in branches]
    try:
        return model(**prompt.model_inputs()).logits[0, boundary_start:]
    finally:
        for handle in handles:
            handle.remove()
