"""Random weights that make every part of the network count.

Freshly initialised weights would make a poor test: attention is nearly uniform, norms are 1, biases are 0, and an
engine that leaves one of them out would still pass. Here queries and keys are scaled so that attention is sharp, norm
weights and biases are random, and every branch adds to the residual stream about as much as the embedding holds.
`sensitivity.py` proves it. All values are exact in bfloat16, so that one checkpoint serves float32 and bfloat16.
"""

import json
import math
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

from .checkpoints import Checkpoint

EMBEDDING_STD = 0.35
QUERY_KEY_BIAS = 0.7  # a key bias acts through the rotation only: the same to all keys, softmax would cancel it
QUERY_KEY_NORM = 1.45
NORM_SPREAD = 0.3


def initialise(c: Checkpoint, model: Qwen3VLForConditionalGeneration) -> None:
    generator = torch.Generator().manual_seed(c.seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            values = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            parameter.copy_(_scaled(name, values).to(torch.bfloat16))
        _never_choose(c, model)


def _scaled(name: str, normal: torch.Tensor) -> torch.Tensor:
    """normal: standard normal values of the parameter's shape."""
    fan_in = math.prod(normal.shape[1:]) if normal.ndim > 1 else 1
    if "visual" in name:
        return _scaled_vision(name, normal, fan_in)
    if name.endswith(("q_norm.weight", "k_norm.weight")):
        return QUERY_KEY_NORM * (1 + NORM_SPREAD * normal.clamp(-2, 2))
    if name.endswith("norm.weight"):
        return 1 + NORM_SPREAD * normal.clamp(-2, 2)
    if name.endswith("embed_tokens.weight"):
        return EMBEDDING_STD * normal
    if name.endswith("lm_head.weight"):
        return 3.0 * normal / math.sqrt(fan_in)
    gain = {"q_proj": 1.0, "k_proj": 1.0, "v_proj": 1.0, "o_proj": 0.7, "gate_proj": 1.4, "up_proj": 1.0, "down_proj": 0.8}
    return gain[name.split(".")[-2]] * normal / math.sqrt(fan_in)


def _scaled_vision(name: str, normal: torch.Tensor, fan_in: int) -> torch.Tensor:
    module, kind = name.split(".")[-2:]
    if kind == "bias":
        return QUERY_KEY_BIAS * normal if module == "qkv" else 0.25 * normal
    if module.startswith("norm"):
        return 1 + NORM_SPREAD * normal.clamp(-2, 2)
    if module == "pos_embed":
        return 0.5 * normal
    if module == "qkv":
        gains = torch.tensor([1.4, 1.4, 1.0], dtype=normal.dtype).view(3, 1, 1)
        return (gains * normal.view(3, -1, normal.shape[1])).view_as(normal) / math.sqrt(fan_in)
    if "patch_embed" in name:
        return 2.0 * normal / math.sqrt(fan_in)
    gain = {"proj": 0.8, "linear_fc1": 1.2, "linear_fc2": 1.2 if "merger" in name else 0.9}
    return gain[module] * normal / math.sqrt(fan_in)


def _never_choose(c: Checkpoint, model: Qwen3VLForConditionalGeneration) -> None:
    """Greedy runs must not end early nor hit rows without a token: their logits are kept small, so that they never win."""
    rows = [c.token_id("<|im_end|>"), c.token_id("<|endoftext|>"), *range(c.used_vocabulary, c.text["vocab_size"])]
    model.lm_head.weight[rows] = (0.4 * model.lm_head.weight[rows].float()).to(torch.bfloat16).float()


def new_model(c: Checkpoint, folder: Path) -> Qwen3VLForConditionalGeneration:
    model = Qwen3VLForConditionalGeneration(Qwen3VLConfig.from_pretrained(folder)).float().eval()
    initialise(c, model)
    return model


def save(c: Checkpoint, model: Qwen3VLForConditionalGeneration, folder: Path) -> None:
    """One bf16 file, or the shards that the checkpoint names, of which "rest" is F32 (the same bf16 values)."""
    tensors = {name: value.detach().to(torch.bfloat16).contiguous() for name, value in model.state_dict().items()}
    if c.tied:
        del tensors["lm_head.weight"]
    if not c.shards:
        save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
        return
    weight_map, total = {}, 0
    for number, shard in enumerate(c.shards, start=1):
        file = f"model-{number:05}-of-{len(c.shards):05}.safetensors"
        part = {name: tensors[name] for name in sorted(tensors) if _shard(name) == shard}
        if shard == "rest":
            part = {name: value.float() for name, value in part.items()}
        save_file(part, folder / file, metadata={"format": "pt"})
        weight_map.update(dict.fromkeys(part, file))
        total += sum(value.numel() * value.element_size() for value in part.values())
    index = dict(metadata=dict(total_size=total), weight_map=dict(sorted(weight_map.items())))
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


def _shard(name: str) -> str:
    """The norms of the text layers go to the last shard, so that one layer's tensors lie in two files and two types."""
    if ".visual." in name:
        return "visual"
    return "layers" if ".layers." in name and not name.endswith("norm.weight") else "rest"
