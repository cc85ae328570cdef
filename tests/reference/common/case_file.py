"""How a golden case is written: float tensors in one safetensors file, everything else in `cases.json`.

Tensors are F32. Whole numbers (ids, rows, greedy tokens) stand in the JSON only; `position_ids` alone is a tensor
([3, N], whole numbers exact in F32).
"""

import json
import re
from pathlib import Path

import torch
from safetensors.torch import save_file


def write_case(folder: Path, name: str, tensors: dict[str, torch.Tensor]) -> dict[str, list[int]]:
    """Writes `name`.safetensors; returns the shape of each tensor for the list of cases."""
    stored = {key: value.detach().to(torch.float32).contiguous().clone() for key, value in tensors.items()}
    save_file(stored, folder / f"{name}.safetensors")
    return {key: list(value.shape) for key, value in stored.items()}


def write_case_list(folder: Path, document: dict) -> None:
    """One case per block, short lists on one line, so that a difference between two versions can be read."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    (folder / "cases.json").write_text(join_number_lists(text) + "\n", encoding="utf-8")


def join_number_lists(text: str) -> str:
    def join(match: re.Match) -> str:
        return re.sub(r"\s+", " ", match.group()).replace("[ ", "[").replace(" ]", "]")

    return re.sub(r"\[[\s\d.,eE+-]*\]", join, text)
