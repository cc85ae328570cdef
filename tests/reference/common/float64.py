"""Run a model of transformers wholly in float64, to judge what of a float32 result is rounding.

`model.double()` alone is not enough: norms, softmax and rotary angles are widened to float32 by name in the modelling
code. Inside `float64_everywhere` those names mean float64.
"""

import copy
from contextlib import contextmanager

import torch
from torch import nn


class _TorchWithFloat64:
    """The torch module, where `float32` and `float` are read as float64."""

    float32 = torch.float64
    float = torch.float64

    def __getattr__(self, name):
        return getattr(torch, name)


@contextmanager
def float64_everywhere(*modules):
    """modules: the Python modules whose code names float32 (the family's modelling file and its helpers)."""
    float_method = torch.Tensor.float
    torch.Tensor.float = torch.Tensor.double
    originals = [module.torch for module in modules]
    for module in modules:
        module.torch = _TorchWithFloat64()
    try:
        yield
    finally:
        torch.Tensor.float = float_method
        for module, original in zip(modules, originals):
            module.torch = original


def in_float64(model: nn.Module) -> nn.Module:
    """A copy that holds float64 throughout, rotary frequencies too; call it within float64_everywhere."""
    double = copy.deepcopy(model).double()
    for module in double.modules():
        frequencies = [name for name, _ in module.named_buffers(recurse=False) if name.endswith("inv_freq")]
        if frequencies:
            fresh = type(module)(module.config)
            for name in frequencies:
                setattr(module, name, getattr(fresh, name))
    return double
