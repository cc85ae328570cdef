"""The same pruning written the other way, as virtual gates: a check on `common/decoder_walk.py`.

All rows run through all layers at once; what a pruned layer's attention and FFN would add to the residual stream at the
prefill positions is multiplied by 0.
"""

import torch

from .prompts import Prompt


def gated_logits(model, prompt: Prompt, pruned: list[int], boundary_start: int) -> torch.Tensor:
    """Logits of the boundary rows, [rows, vocabulary]."""
    gate = (torch.arange(prompt.ids.shape[1]) >= boundary_start).to(model.dtype)[None, :, None]
    layers = [model.model.language_model.layers[index] for index in pruned]

    def gate_attention(module, arguments, output):
        return output[0] * gate, output[1]

    def gate_feed_forward(module, arguments, output):
        return output * gate

    handles = [layer.self_attn.register_forward_hook(gate_attention) for layer in layers]
    handles += [layer.mlp.register_forward_hook(gate_feed_forward) for layer in layers]
    try:
        return model(**prompt.model_inputs()).logits[0, boundary_start:]
    finally:
        for handle in handles:
            handle.remove()
