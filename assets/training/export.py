"""Writes a checkpoint as an ordinary Hugging Face folder in bfloat16.

    python export.py CHECKPOINT TOKENIZER_JSON CHAT_TEMPLATE_JINJA OUT_DIR

`CHAT_TEMPLATE_JINJA` is Qwen3-VL's own template (Apache-2.0), copied byte for byte.
"""

import json
import shutil
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer

from architecture import Architecture
from checkpoint import load_checkpoint
from parameters import READOUT, Parameters

SHORTEST_PX, LONGEST_PX = 128 * 128, 1024 * 1024


def model_config(a: Architecture, token: dict[str, int]) -> dict:
    """config.json as transformers 5 writes it."""
    return {
        "architectures": ["Qwen3VLForConditionalGeneration"],
        "dtype": "bfloat16",
        "image_token_id": token["<|image_pad|>"],
        "model_type": "qwen3_vl",
        "text_config": {
            "attention_bias": False,
            "attention_dropout": 0.0,
            "bos_token_id": token["<|endoftext|>"],
            "dtype": "bfloat16",
            "eos_token_id": token["<|im_end|>"],
            "head_dim": a.head_dim,
            "hidden_act": "silu",
            "hidden_size": a.hidden,
            "initializer_range": 0.02,
            "intermediate_size": a.mlp,
            "max_position_embeddings": a.context,
            "model_type": "qwen3_vl_text",
            "num_attention_heads": a.heads,
            "num_hidden_layers": a.layers,
            "num_key_value_heads": a.kv_heads,
            "pad_token_id": None,
            "rms_norm_eps": a.norm_eps,
            "rope_parameters": {
                "mrope_interleaved": True,
                "mrope_section": list(a.mrope_section),
                "rope_theta": a.rope_theta,
                "rope_type": "default",
            },
            "tie_word_embeddings": True,
            "use_cache": True,
            "vocab_size": a.vocabulary,
        },
        "tie_word_embeddings": True,
        "transformers_version": "5.24.0",
        "video_token_id": token["<|video_pad|>"],
        "vision_config": {
            "deepstack_visual_indexes": list(a.deepstack_layers),
            "depth": a.vision_layers,
            "hidden_act": "gelu_pytorch_tanh",
            "hidden_size": a.vision_hidden,
            "in_channels": 3,
            "initializer_range": 0.02,
            "intermediate_size": a.vision_mlp,
            "model_type": "qwen3_vl_vision",
            "num_heads": a.vision_heads,
            "num_position_embeddings": a.position_side**2,
            "out_hidden_size": a.hidden,
            "patch_size": a.patch_px,
            "rope_parameters": {"rope_theta": 10000.0, "rope_type": "axial"},
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
        },
        "vision_end_token_id": token["<|vision_end|>"],
        "vision_start_token_id": token["<|vision_start|>"],
    }


def generation_config(token: dict[str, int]) -> dict:
    """Greedy by default: the model knows one right answer to each question."""
    return {
        "bos_token_id": token["<|endoftext|>"],
        "do_sample": False,
        "eos_token_id": [token["<|im_end|>"], token["<|endoftext|>"]],
        "pad_token_id": token["<|endoftext|>"],
        "transformers_version": "5.24.0",
    }


def preprocessor_config(a: Architecture) -> dict:
    return {
        "image_mean": [0.5, 0.5, 0.5],
        "image_processor_type": "Qwen2VLImageProcessorFast",
        "image_std": [0.5, 0.5, 0.5],
        "merge_size": 2,
        "patch_size": a.patch_px,
        "processor_class": "Qwen3VLProcessor",
        "size": {"longest_edge": LONGEST_PX, "shortest_edge": SHORTEST_PX},
        "temporal_patch_size": 2,
    }


def tokenizer_config(a: Architecture, special: list[str]) -> dict:
    return {
        "add_prefix_space": False,
        "bos_token": None,
        "clean_up_tokenization_spaces": False,
        "eos_token": "<|im_end|>",
        "errors": "replace",
        "extra_special_tokens": special,
        "model_max_length": a.context,
        "pad_token": "<|endoftext|>",
        "split_special_tokens": False,
        "tokenizer_class": "Qwen2Tokenizer",
        "unk_token": None,
    }


def bfloat16_weights(parameters: Parameters) -> dict[str, torch.Tensor]:
    """The model's own tensors, without the training's readout heads; the tied head is not stored."""
    return {
        name: view.to(torch.bfloat16).contiguous()
        for name, view in parameters.views(parameters.flat).items()
        if not name.startswith(READOUT)
    }


def export(checkpoint: str, tokenizer_json: str, template: str, folder: Path) -> int:
    """Fills `folder` (the README.md there is kept) and returns the step of the checkpoint."""
    parameters = Parameters(Architecture())
    step = load_checkpoint(checkpoint, parameters)
    a = parameters.architecture
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(tokenizer_json, folder / "tokenizer.json")
    shutil.copyfile(template, folder / "chat_template.jinja")
    vocabulary = Tokenizer.from_file(tokenizer_json).get_vocab()
    special = [text for text in vocabulary if text.startswith("<|") and text.endswith("|>")]
    files = {
        "config.json": model_config(a, vocabulary),
        "generation_config.json": generation_config(vocabulary),
        "preprocessor_config.json": preprocessor_config(a),
        "tokenizer_config.json": tokenizer_config(a, sorted(special, key=vocabulary.get)),
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, indent=2) + "\n")
    weights = folder / "model.safetensors"
    save_file(bfloat16_weights(parameters), weights, metadata={"format": "pt"})
    weights.chmod(0o644)
    return step


def main() -> None:
    if len(sys.argv) != 5:
        raise SystemExit(__doc__)
    folder = Path(sys.argv[4])
    step = export(sys.argv[1], sys.argv[2], sys.argv[3], folder)
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"step {step}: {size:,} bytes in {folder}")


if __name__ == "__main__":
    main()
