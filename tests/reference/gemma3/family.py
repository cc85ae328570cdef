"""Gemma-3 with pictures, as the generator and the proof take it."""

from pathlib import Path

import torch
from torch import nn
from transformers import Gemma3ForConditionalGeneration, masking_utils, modeling_rope_utils
from transformers.models.gemma3 import modeling_gemma3
from transformers.models.siglip import modeling_siglip

from common.family import Family
from common.sensitivity import neutral_number

from . import misreadings
from .cases import CASES
from .checkpoints import Checkpoint, write_files
from .decoder_parts import decoder_parts, text_model
from .prompts import PromptBuilder
from .sizes import CHECKPOINTS
from .vision_stages import vision_stages
from .weights import new_model, save

FLOAT64_MODULES = (modeling_gemma3, modeling_siglip, modeling_rope_utils, masking_utils)


def load(folder: Path, dtype: torch.dtype) -> Gemma3ForConditionalGeneration:
    return Gemma3ForConditionalGeneration.from_pretrained(folder, dtype=dtype).eval()


def write_checkpoint(c: Checkpoint, folder: Path) -> None:
    write_files(c, folder)
    save(c, new_model(c, folder), folder)


def neutral_parts(name: str, values: torch.Tensor) -> list[tuple[str, torch.Tensor, float]]:
    if "vision_tower" not in name:
        return [(name, values, 0.0)]  # Gemma's norms store what is added to 1
    if name.endswith("k_proj.bias"):
        return []  # the same to all keys of a query: softmax cancels it
    return [(name, values, neutral_number(name, values))]


def branches(layer: nn.Module) -> list[nn.Module]:
    return [layer.post_attention_layernorm, layer.post_feedforward_layernorm]


FAMILY = Family(
    name="gemma3",
    checkpoints=CHECKPOINTS,
    cases=CASES,
    proving_cases=("text_only", "one_image", "two_images"),
    load=load,
    write_checkpoint=write_checkpoint,
    prompt_builder=PromptBuilder,
    decoder_layers=lambda model: text_model(model).layers,
    branches=branches,
    decoder_parts=decoder_parts,
    misreadings=misreadings.misreadings,
    float64_modules=FLOAT64_MODULES,
    is_vision=lambda name: "vision_tower" in name or "multi_modal_projector" in name,
    vision_stages=vision_stages,
    neutral_parts=neutral_parts,
)
