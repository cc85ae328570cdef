#!/usr/bin/env python3
"""Makes the golden values that the parity tests read. See README.md.

    python tests/reference/make_goldens.py [family ...] [--only checkpoint ...]
"""

import argparse
import importlib
from pathlib import Path

import torch
from common import golden_maker

FAMILIES = ["qwen3_vl", "gemma3", "gemma3_text", "llama"]  # each a package with family.FAMILY


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="family", help=f"of {FAMILIES}; all if none is named")
    parser.add_argument("--only", nargs="*", default=[], metavar="checkpoint", help="names of checkpoints")
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parents[1] / "data")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    with torch.no_grad():
        for family in options.families or FAMILIES:
            golden_maker.make(importlib.import_module(f"{family}.family").FAMILY, options.output, options.only)


if __name__ == "__main__":
    main()
