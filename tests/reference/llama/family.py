"""Llama, as the generator and the proof take it."""

from pathlib import Path

import torch
from transformers import LlamaForCausalLM, modeling_rope_utils
from transformers.models.llama import modeling_llama

from common.family import Family

from . import misreadings
from .cases import CASES
from .checkpoints import CHECKPOINTS, Checkpoint, write_files
from .decoder_parts import decoder_parts
from .prompts import PromptBuilder
from .weights import new_model, save


def load(folder: Path, dtype: torch.dtype) -> LlamaForCausalLM:
    return LlamaForCausalLM.from_pretrained(folder, dtype=dtype).eval()


def write_checkpoint(c: Checkpoint, folder: Path) -> None:
    write_files(c, folder)
    save(c, new_model(c, folder), folder)


FAMILY = Family(
    name="llama",
    checkpoints=CHECKPOINTS,
    cases=CASES,
    proving_cases=("text_only", "long_text"),
    load=load,
    write_checkpoint=write_checkpoint,
    prompt_builder=PromptBuilder,
    decoder_layers=lambda model: model.model.layers,
    branches=lambda layer: [layer.self_attn, layer.mlp],
    decoder_parts=decoder_parts,
    misreadings=misreadings.misreadings,
    float64_modules=(modeling_llama, modeling_rope_utils),
)
