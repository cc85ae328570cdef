"""Qwen3-VL, as the generator and the proof take it."""

from pathlib import Path

import torch
from transformers import Qwen3VLForConditionalGeneration, vision_utils
from transformers.models.qwen3_vl import modeling_qwen3_vl

from common.family import Family
from common.sensitivity import neutral_number

from . import misreadings
from .cases import CASES
from .checkpoints import CHECKPOINTS, Checkpoint, write_files
from .decoder_parts import decoder_parts
from .prompts import PromptBuilder
from .vision_stages import vision_stages
from .weights import new_model, save


def load(folder: Path, dtype: torch.dtype) -> Qwen3VLForConditionalGeneration:
    return Qwen3VLForConditionalGeneration.from_pretrained(folder, dtype=dtype).eval()


def write_checkpoint(c: Checkpoint, folder: Path) -> None:
    write_files(c, folder)
    save(c, new_model(c, folder), folder)


def neutral_parts(name: str, values: torch.Tensor) -> list[tuple[str, torch.Tensor, float]]:
    """The query, key and value parts of a joint bias one by one."""
    if name.endswith("qkv.bias"):
        return [(f"{name} ({part})", v, 0.0) for part, v in zip(("query", "key", "value"), values.chunk(3))]
    return [(name, values, neutral_number(name, values))]


FAMILY = Family(
    name="qwen3_vl",
    checkpoints=CHECKPOINTS,
    cases=CASES,
    proving_cases=("text_only", "one_image", "two_images"),
    load=load,
    write_checkpoint=write_checkpoint,
    prompt_builder=PromptBuilder,
    decoder_layers=lambda model: model.model.language_model.layers,
    branches=lambda layer: [layer.self_attn, layer.mlp],
    decoder_parts=decoder_parts,
    misreadings=misreadings.misreadings,
    float64_modules=(modeling_qwen3_vl, vision_utils),
    is_vision=lambda name: ".visual." in name,
    vision_stages=vision_stages,
    neutral_parts=neutral_parts,
)
