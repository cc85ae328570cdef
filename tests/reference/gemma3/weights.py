"""Random weights that make every part of the network count.

Attention is sharp, norm weights and biases are random, every branch adds to the residual stream about as much as the
embedding holds (its size is that of the post-norms). `prove_sensitivity.py` proves it. All values are exact in bfloat16,
so that one checkpoint serves float32 and bfloat16.
"""

import math
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn
from transformers import AutoConfig, Gemma3ForCausalLM, Gemma3ForConditionalGeneration

from .checkpoints import Checkpoint

STREAM = 0.9  # root mean square of an embedded token, scaled as the model scales it, and of a picture's features
QUERY_KEY_NORM = 1.4
POST_NORM = 0.9
NORM_SPREAD = 0.3
UNCHOSEN = 0.3  # rows of the embedding that must not win a greedy step are smaller than the others


def model_class(c: Checkpoint) -> type:
    return Gemma3ForCausalLM if c.vision is None else Gemma3ForConditionalGeneration


def initialise(c: Checkpoint, model: nn.Module) -> None:
    generator = torch.Generator().manual_seed(c.seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            normal = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            parameter.copy_(_scaled(name, normal, model.config.get_text_config().hidden_size).to(torch.bfloat16))
        embedding = model.get_input_embeddings().weight
        rows = [row for row in sorted(c.never_chosen) if row < len(embedding)]
        embedding[rows] = (UNCHOSEN * embedding[rows]).to(torch.bfloat16).float()


def _scaled(name: str, normal: torch.Tensor, hidden: int) -> torch.Tensor:
    """normal: standard normal values of the parameter's shape. Gemma's norms store what is added to 1."""
    spread = 1 + NORM_SPREAD * normal.clamp(-2, 2)
    fan_in = math.prod(normal.shape[1:]) if normal.ndim > 1 else 1
    if "vision_tower" in name:
        return _scaled_vision(name, normal, fan_in)
    if name.endswith("mm_input_projection_weight"):
        return STREAM * normal / math.sqrt(normal.shape[0])
    if name.endswith(("q_norm.weight", "k_norm.weight")):
        return QUERY_KEY_NORM * spread - 1
    if name.endswith(("post_attention_layernorm.weight", "post_feedforward_layernorm.weight")):
        return POST_NORM * spread - 1
    if name.endswith("norm.weight"):
        return spread - 1
    if name.endswith("embed_tokens.weight"):
        return STREAM / math.sqrt(hidden) * normal
    return (1.4 if "gate_proj" in name else 1.0) * normal / math.sqrt(fan_in)


def _scaled_vision(name: str, normal: torch.Tensor, fan_in: int) -> torch.Tensor:
    module, kind = name.split(".")[-2:]
    if "norm" in module:
        return 1 + NORM_SPREAD * normal.clamp(-2, 2) if kind == "weight" else 0.3 * normal
    if kind == "bias":
        return (0.7 if module in ("q_proj", "k_proj") else 0.3) * normal
    if module == "position_embedding":
        return 0.6 * normal
    gain = {"patch_embedding": 2.0, "q_proj": 1.4, "k_proj": 1.4, "v_proj": 1.0, "out_proj": 0.9, "fc1": 1.2, "fc2": 0.9}
    return gain[module] * normal / math.sqrt(fan_in)


def new_model(c: Checkpoint, folder: Path) -> nn.Module:
    model = model_class(c)(AutoConfig.from_pretrained(folder)).float().eval()
    initialise(c, model)
    return model


def save(c: Checkpoint, model: nn.Module, folder: Path) -> None:
    """As transformers 5.24 saves it, configuration too, or with the names of the published files."""
    if not c.transformers_4:
        generation = (folder / "generation_config.json").read_bytes()
        model.to(torch.bfloat16).save_pretrained(folder)
        (folder / "generation_config.json").write_bytes(generation)
        return
    tensors = {
        published_name(name): value.detach().to(torch.bfloat16).contiguous()
        for name, value in model.state_dict().items()
        if name != "lm_head.weight"
    }
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def published_name(name: str) -> str:
    renamed = {
        "model.language_model.": "language_model.model.",
        "model.vision_tower.": "vision_tower.vision_model.",
        "model.multi_modal_projector.": "multi_modal_projector.",
    }
    for own, published in renamed.items():
        if name.startswith(own):
            return published + name.removeprefix(own)
    return name
