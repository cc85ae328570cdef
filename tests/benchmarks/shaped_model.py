#!/usr/bin/env python3
"""Writes a model folder with the sizes of Qwen3-VL 2B and weights that are all zero: what it computes means nothing,
how long it takes is what the real one takes. The weights' file is sparse and takes no room on the disk. Tokenizer and
the rest are the bundled model's.

    tests/benchmarks/shaped_model.py FOLDER
"""
import json
import math
import shutil
import struct
import sys
from pathlib import Path

BUNDLED = Path(__file__).resolve().parents[2] / "assets/models/demo-qwen3-vl"
HIDDEN, INTERMEDIATE, LAYERS, HEADS, KV_HEADS, HEAD_DIM, VOCAB = 2048, 6144, 28, 16, 8, 128, 151936
TOWER_HIDDEN, TOWER_INTERMEDIATE, TOWER_LAYERS, TOWER_HEADS, TOWER_POSITIONS = 1024, 4096, 24, 16, 2304
DEEPSTACK = [5, 11, 17]
MERGED = 4 * TOWER_HIDDEN


def config():
    config = json.loads((BUNDLED / "config.json").read_text())
    text, vision = config["text_config"], config["vision_config"]
    text.update(hidden_size=HIDDEN, intermediate_size=INTERMEDIATE, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
                num_key_value_heads=KV_HEADS, head_dim=HEAD_DIM, vocab_size=VOCAB, max_position_embeddings=262144)
    text["rope_parameters"].update(mrope_section=[24, 20, 20], rope_theta=5e6)
    vision.update(hidden_size=TOWER_HIDDEN, intermediate_size=TOWER_INTERMEDIATE, depth=TOWER_LAYERS,
                  num_heads=TOWER_HEADS, num_position_embeddings=TOWER_POSITIONS, out_hidden_size=HIDDEN,
                  deepstack_visual_indexes=DEEPSTACK)
    return config


def linear(name, rows, columns):
    return {name + ".weight": [rows, columns], name + ".bias": [rows]}


def norm(name, size):
    return {name + ".weight": [size], name + ".bias": [size]}


def merger(name, norm_size):
    return norm(name + ".norm", norm_size) | linear(name + ".linear_fc1", MERGED, MERGED) | linear(
        name + ".linear_fc2", HIDDEN, MERGED)


def tensors():
    root = "model.language_model."
    shapes = {root + "embed_tokens.weight": [VOCAB, HIDDEN], root + "norm.weight": [HIDDEN]}
    for layer in range(LAYERS):
        at = f"{root}layers.{layer}."
        shapes |= {
            at + "input_layernorm.weight": [HIDDEN],
            at + "post_attention_layernorm.weight": [HIDDEN],
            at + "self_attn.q_proj.weight": [HEADS * HEAD_DIM, HIDDEN],
            at + "self_attn.k_proj.weight": [KV_HEADS * HEAD_DIM, HIDDEN],
            at + "self_attn.v_proj.weight": [KV_HEADS * HEAD_DIM, HIDDEN],
            at + "self_attn.o_proj.weight": [HIDDEN, HEADS * HEAD_DIM],
            at + "self_attn.q_norm.weight": [HEAD_DIM],
            at + "self_attn.k_norm.weight": [HEAD_DIM],
            at + "mlp.gate_proj.weight": [INTERMEDIATE, HIDDEN],
            at + "mlp.up_proj.weight": [INTERMEDIATE, HIDDEN],
            at + "mlp.down_proj.weight": [HIDDEN, INTERMEDIATE],
        }
    root = "model.visual."
    shapes |= {root + "patch_embed.proj.weight": [TOWER_HIDDEN, 3, 2, 16, 16],
               root + "patch_embed.proj.bias": [TOWER_HIDDEN],
               root + "pos_embed.weight": [TOWER_POSITIONS, TOWER_HIDDEN]}
    for block in range(TOWER_LAYERS):
        at = f"{root}blocks.{block}."
        shapes |= norm(at + "norm1", TOWER_HIDDEN) | norm(at + "norm2", TOWER_HIDDEN)
        shapes |= linear(at + "attn.qkv", 3 * TOWER_HIDDEN, TOWER_HIDDEN)
        shapes |= linear(at + "attn.proj", TOWER_HIDDEN, TOWER_HIDDEN)
        shapes |= linear(at + "mlp.linear_fc1", TOWER_INTERMEDIATE, TOWER_HIDDEN)
        shapes |= linear(at + "mlp.linear_fc2", TOWER_HIDDEN, TOWER_INTERMEDIATE)
    shapes |= merger(root + "merger", TOWER_HIDDEN)
    for i in range(len(DEEPSTACK)):
        shapes |= merger(f"{root}deepstack_merger_list.{i}", MERGED)
    return shapes


def write_weights(path):
    header, end = {}, 0
    for name, shape in tensors().items():
        begin, end = end, end + 2 * math.prod(shape)
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 64)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + end)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json",
                 "preprocessor_config.json"):
        shutil.copyfile(BUNDLED / name, folder / name)
    (folder / "config.json").write_text(json.dumps(config(), indent=1))
    write_weights(folder / "model.safetensors")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
