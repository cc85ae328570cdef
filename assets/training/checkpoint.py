"""Checkpoints: weights and optimiser state in one file, replaced as a whole."""

import os
from pathlib import Path

import torch

from optimiser import OptimiserState
from parameters import Parameters


def save_checkpoint(path: Path, step: int, parameters: Parameters, state: OptimiserState, options):
    """Writes the file; a run that is killed meanwhile leaves the old one whole."""
    partial = path.with_suffix(".partial")
    torch.save(
        {
            "step": step,
            "flat": parameters.flat.detach(),
            "momentum": state.momentum,
            "second": state.second,
            "offsets": parameters.offsets,
            "options": vars(options),
        },
        partial,
    )
    os.replace(partial, path)


def load_checkpoint(path, parameters: Parameters, state: OptimiserState | None = None) -> int:
    """Reads weights (and optimiser state) in place and returns the number of steps done."""
    stored = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    if stored["offsets"] != parameters.offsets:
        raise ValueError(f"{path}: made for other sizes than architecture.py has")
    with torch.no_grad():
        parameters.flat.copy_(stored["flat"])
        if state is not None:
            state.momentum.copy_(stored["momentum"])
            state.second.copy_(stored["second"])
    return stored["step"]
