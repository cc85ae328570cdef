"""Random weights that make every part of the network count: sharp attention, random norm weights, branches that add to
the residual stream about as much as the embedding holds. `prove_sensitivity.py` proves it. All values are exact in
bfloat16, so that one checkpoint serves float32 and bfloat16.
"""

import math
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import AutoConfig, LlamaForCausalLM

from .checkpoints import Checkpoint

EMBEDDING_STD = 0.35
NORM_SPREAD = 0.3
HEAD_STD = 3.0  # of an untied head's rows, times 1 / sqrt(hidden)
UNCHOSEN = 0.3  # rows that must not win a greedy step are smaller than the others
GAINS = {"q_proj": 1.5, "k_proj": 1.5, "v_proj": 1.0, "o_proj": 0.7, "gate_proj": 1.4, "up_proj": 1.0, "down_proj": 0.8}


def initialise(c: Checkpoint, model: LlamaForCausalLM) -> None:
    generator = torch.Generator().manual_seed(c.seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            normal = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            parameter.copy_(_scaled(name, normal).to(torch.bfloat16))
        rows, head = sorted(c.never_chosen), model.lm_head.weight
        head[rows] = (UNCHOSEN * head[rows]).to(torch.bfloat16).float()


def _scaled(name: str, normal: torch.Tensor) -> torch.Tensor:
    """normal: standard normal values of the parameter's shape."""
    if normal.ndim == 1:
        return 1 + NORM_SPREAD * normal.clamp(-2, 2)
    if name.endswith("embed_tokens.weight"):
        return EMBEDDING_STD * normal
    gain = HEAD_STD if name == "lm_head.weight" else GAINS[name.split(".")[-2]]
    return gain * normal / math.sqrt(normal.shape[1])


def new_model(c: Checkpoint, folder: Path) -> LlamaForCausalLM:
    model = LlamaForCausalLM(AutoConfig.from_pretrained(folder)).float().eval()
    initialise(c, model)
    return model


def save(c: Checkpoint, model: LlamaForCausalLM, folder: Path) -> None:
    """As transformers 5.24 saves it, configuration too, or one file beside the configuration that is there."""
    if not c.transformers_4:
        generation = (folder / "generation_config.json").read_bytes()
        model.to(torch.bfloat16).save_pretrained(folder)
        (folder / "generation_config.json").write_bytes(generation)
        return
    tensors = {name: value.detach().to(torch.bfloat16).contiguous() for name, value in model.state_dict().items()}
    if c.tied:
        del tensors["lm_head.weight"]
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
