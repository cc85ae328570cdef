"""Turns an exported folder back into a checkpoint, so that training goes on where the shipped model stands.

    python import_exported.py MODEL_FOLDER STEP CHECKPOINT

The optimiser starts anew, and so do the readout heads, which are not exported.
"""

import argparse
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file

from architecture import Architecture
from checkpoint import save_checkpoint
from optimiser import OptimiserState
from parameters import Parameters


def main() -> None:
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    stored = load_file(Path(sys.argv[1]) / "model.safetensors")
    parameters = Parameters(Architecture())
    parameters.initialise(1)
    views = parameters.views(parameters.flat)
    if unknown := stored.keys() - views.keys():
        raise SystemExit(f"{sys.argv[1]}: made for other sizes than architecture.py has: {min(unknown)}")
    with torch.no_grad():
        for name, tensor in stored.items():
            views[name].copy_(tensor)
    state = OptimiserState.zeros(parameters)
    save_checkpoint(Path(sys.argv[3]), int(sys.argv[2]), parameters, state, argparse.Namespace())


if __name__ == "__main__":
    main()
