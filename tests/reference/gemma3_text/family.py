"""Gemma-3 without pictures, as the generator and the proof take it."""

from pathlib import Path

import torch
from gemma3 import misreadings
from gemma3.cases import TEXT_CASES
from gemma3.decoder_parts import decoder_parts, text_model
from gemma3.family import FLOAT64_MODULES, branches, neutral_parts, write_checkpoint
from gemma3.prompts import PromptBuilder
from transformers import Gemma3ForCausalLM

from common.family import Family

from .sizes import CHECKPOINTS


def load(folder: Path, dtype: torch.dtype) -> Gemma3ForCausalLM:
    return Gemma3ForCausalLM.from_pretrained(folder, dtype=dtype).eval()


FAMILY = Family(
    name="gemma3_text",
    checkpoints=CHECKPOINTS,
    cases=TEXT_CASES,
    proving_cases=("text_only", "long_text"),
    load=load,
    write_checkpoint=write_checkpoint,
    prompt_builder=PromptBuilder,
    decoder_layers=lambda model: text_model(model).layers,
    branches=branches,
    decoder_parts=decoder_parts,
    misreadings=misreadings.misreadings,
    float64_modules=FLOAT64_MODULES,
    neutral_parts=neutral_parts,
)
