#!/usr/bin/env python3
"""Shows that the golden cases notice each part of a network that is left out or misread. See README.md.

    python tests/reference/prove_sensitivity.py [family ...]
"""

import argparse
import importlib
import sys
from pathlib import Path

import torch
from common import sensitivity
from make_goldens import FAMILIES


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="family", help=f"of {FAMILIES}; all if none is named")
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[1] / "data")
    options = parser.parse_args()
    torch.set_num_threads(1)
    with torch.no_grad():
        families = [importlib.import_module(f"{name}.family").FAMILY for name in options.families or FAMILIES]
        proofs = [sensitivity.prove(family, options.data) for family in families]
    return 0 if all(proofs) else 1


if __name__ == "__main__":
    sys.exit(main())
