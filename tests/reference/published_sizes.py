#!/usr/bin/env python3
"""Parameters and image tokens of every published size, from its configuration alone.

    python tests/reference/published_sizes.py

Writes tests/data/published_sizes.json: configurations with the keys that the published files have (of those that say
anything about size), how many parameters transformers makes of each (no memory is taken: on torch's meta device), and
how many tokens its processor gives the pictures of tests/data/pictures.
"""

import json
from pathlib import Path

import torch
import transformers
from PIL import Image
from transformers import AutoConfig
from transformers.models.qwen2_vl.image_processing_qwen2_vl import Qwen2VLImageProcessor

DATA = Path(__file__).resolve().parents[1] / "data"
PICTURES = ["large.png", "odd.png", "scene.png", "tall.png", "tiny.png", "wide.png"]

QWEN3_VL_PROCESSOR = {
    "size": {"longest_edge": 16777216, "shortest_edge": 65536}, "patch_size": 16, "temporal_patch_size": 2,
    "merge_size": 2, "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5],
    "processor_class": "Qwen3VLProcessor", "image_processor_type": "Qwen2VLImageProcessorFast",
}  # fmt: skip
GEMMA3_PROCESSOR = {
    "do_convert_rgb": None, "do_normalize": True, "do_pan_and_scan": None, "do_rescale": True, "do_resize": True,
    "image_mean": [0.5, 0.5, 0.5], "image_processor_type": "Gemma3ImageProcessor", "image_seq_length": 256,
    "image_std": [0.5, 0.5, 0.5], "pan_and_scan_max_num_crops": None, "pan_and_scan_min_crop_size": None,
    "pan_and_scan_min_ratio_to_activate": None, "processor_class": "Gemma3Processor", "resample": 2,
    "rescale_factor": 0.00392156862745098, "size": {"height": 896, "width": 896},
}  # fmt: skip


def qwen3_vl(hidden, intermediate, layers, heads, tied, vision):
    depth, vision_hidden, vision_intermediate, deepstack = vision
    return {
        "architectures": ["Qwen3VLForConditionalGeneration"], "image_token_id": 151655, "model_type": "qwen3_vl",
        "text_config": {
            "attention_bias": False, "attention_dropout": 0.0, "bos_token_id": 151643, "dtype": "bfloat16",
            "eos_token_id": 151645, "head_dim": 128, "hidden_act": "silu", "hidden_size": hidden,
            "initializer_range": 0.02, "intermediate_size": intermediate, "max_position_embeddings": 262144,
            "model_type": "qwen3_vl_text", "num_attention_heads": heads, "num_hidden_layers": layers,
            "num_key_value_heads": 8, "rms_norm_eps": 1e-06,
            "rope_scaling": {"mrope_interleaved": True, "mrope_section": [24, 20, 20], "rope_type": "default"},
            "rope_theta": 5000000, "use_cache": True, "vocab_size": 151936,
        },
        "tie_word_embeddings": tied, "transformers_version": "4.57.0.dev0", "video_token_id": 151656,
        "vision_config": {
            "deepstack_visual_indexes": deepstack, "depth": depth, "hidden_act": "gelu_pytorch_tanh",
            "hidden_size": vision_hidden, "in_channels": 3, "initializer_range": 0.02,
            "intermediate_size": vision_intermediate, "model_type": "qwen3_vl", "num_heads": 16,
            "num_position_embeddings": 2304, "out_hidden_size": hidden, "patch_size": 16, "spatial_merge_size": 2,
            "temporal_patch_size": 2,
        },
        "vision_end_token_id": 151653, "vision_start_token_id": 151652,
    }  # fmt: skip


def gemma3(text):
    return {
        "architectures": ["Gemma3ForConditionalGeneration"], "boi_token_index": 255999, "eoi_token_index": 256000,
        "eos_token_id": [1, 106], "image_token_index": 262144, "initializer_range": 0.02, "mm_tokens_per_image": 256,
        "model_type": "gemma3",
        "text_config": {
            "model_type": "gemma3_text", "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
            "sliding_window": 1024, **text,
        },
        "torch_dtype": "bfloat16", "transformers_version": "4.50.0.dev0",
        "vision_config": {
            "hidden_size": 1152, "image_size": 896, "intermediate_size": 4304, "model_type": "siglip_vision_model",
            "num_attention_heads": 16, "num_hidden_layers": 27, "patch_size": 14, "vision_use_head": False,
        },
    }  # fmt: skip


def gemma3_text(hidden, intermediate, layers, **more):
    return {
        "architectures": ["Gemma3ForCausalLM"], "attention_bias": False, "attention_dropout": 0.0,
        "attn_logit_softcapping": None, "bos_token_id": 2, "eos_token_id": 1, "final_logit_softcapping": None,
        "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh", "hidden_size": hidden, "initializer_range": 0.02,
        "intermediate_size": intermediate, "max_position_embeddings": 32768, "model_type": "gemma3_text",
        "num_attention_heads": 4, "num_hidden_layers": layers, "num_key_value_heads": 1, "pad_token_id": 0,
        "query_pre_attn_scalar": 256, "rms_norm_eps": 1e-06, "rope_local_base_freq": 10000, "rope_scaling": None,
        "rope_theta": 1000000, "sliding_window": 512, "torch_dtype": "bfloat16", "use_cache": True,
        "vocab_size": 262144, **more,
    }  # fmt: skip


def llama(hidden, intermediate, layers, heads, head_dim, factor, tied):
    return {
        "architectures": ["LlamaForCausalLM"], "attention_bias": False, "attention_dropout": 0.0,
        "bos_token_id": 128000, "eos_token_id": [128001, 128008, 128009], "head_dim": head_dim, "hidden_act": "silu",
        "hidden_size": hidden, "initializer_range": 0.02, "intermediate_size": intermediate,
        "max_position_embeddings": 131072, "mlp_bias": False, "model_type": "llama", "num_attention_heads": heads,
        "num_hidden_layers": layers, "num_key_value_heads": 8, "pretraining_tp": 1, "rms_norm_eps": 1e-05,
        "rope_scaling": {
            "factor": factor, "high_freq_factor": 4.0, "low_freq_factor": 1.0,
            "original_max_position_embeddings": 8192, "rope_type": "llama3",
        },
        "rope_theta": 500000.0, "tie_word_embeddings": tied, "torch_dtype": "bfloat16", "use_cache": True,
        "vocab_size": 128256,
    }  # fmt: skip


SMALL_VISION = (24, 1024, 4096, [5, 11, 17])
LARGE_VISION = (27, 1152, 4304, [8, 16, 24])
LAYER_TYPES_270M = ["full_attention" if (layer + 1) % 6 == 0 else "sliding_attention" for layer in range(18)]
SIZES = {
    "qwen3-vl-2b": qwen3_vl(2048, 6144, 28, 16, True, SMALL_VISION),
    "qwen3-vl-4b": qwen3_vl(2560, 9728, 36, 32, True, SMALL_VISION),
    "qwen3-vl-8b": qwen3_vl(4096, 12288, 36, 32, False, LARGE_VISION),
    "qwen3-vl-32b": qwen3_vl(5120, 25600, 64, 64, False, LARGE_VISION),
    "gemma3-270m": gemma3_text(640, 2048, 18, layer_types=LAYER_TYPES_270M, _sliding_window_pattern=6),
    "gemma3-1b": gemma3_text(1152, 6912, 26, sliding_window_pattern=6, cache_implementation="hybrid"),
    "gemma3-4b": gemma3(dict(hidden_size=2560, intermediate_size=10240, num_hidden_layers=34)),
    "gemma3-12b": gemma3(dict(hidden_size=3840, intermediate_size=15360, num_attention_heads=16, num_hidden_layers=48,
                              num_key_value_heads=8)),
    "gemma3-27b": gemma3(dict(head_dim=128, hidden_size=5376, intermediate_size=21504, num_attention_heads=32,
                              num_hidden_layers=62, num_key_value_heads=16, query_pre_attn_scalar=168)),
    "llama-3.1-8b": llama(4096, 14336, 32, 32, 128, 8.0, False),
    "llama-3.2-1b": llama(2048, 8192, 16, 32, 64, 32.0, True),
    "llama-3.2-3b": llama(3072, 8192, 28, 24, 128, 32.0, True),
}  # fmt: skip


def parameters(config: dict) -> int:
    with torch.device("meta"):
        kind = getattr(transformers, config["architectures"][0])
        model = kind(AutoConfig.for_model(**config))
        model.tie_weights()
    return sum(parameter.numel() for parameter in model.parameters())  # each once, tied or not


def image_tokens(config: dict, picture: Path) -> int | None:
    if "vision_config" not in config:
        return None
    if config["model_type"] == "gemma3":
        return config["mm_tokens_per_image"]
    width, height = Image.open(picture).size
    return Qwen2VLImageProcessor(**QWEN3_VL_PROCESSOR).get_number_of_image_patches(height, width) // 4


def main() -> None:
    entries = []
    for name, config in SIZES.items():
        entry = {"name": name, "config": config, "parameters": parameters(config)}
        if "vision_config" in config:
            entry["preprocessor"] = GEMMA3_PROCESSOR if config["model_type"] == "gemma3" else QWEN3_VL_PROCESSOR
            entry["image_tokens"] = {p: image_tokens(config, DATA / "pictures" / p) for p in PICTURES}
        entries.append(entry)
        print(name, entry["parameters"], entry.get("image_tokens"), flush=True)
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    (DATA / "published_sizes.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
