"""Writes tests/engine/weights/data: small safetensors files made by the reference implementation.

Run by hand: pip install torch safetensors; python3 tests/reference/make_weights_samples.py
The values follow formulas that the tests repeat, or are torch's own conversions.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file

DATA = Path(__file__).resolve().parent.parent / "engine" / "weights" / "data"


def ramp(*shape):
    """value i of the flattened tensor = i / 4 - 2 (exact in all three types)"""
    count = 1
    for dim in shape:
        count *= dim
    return (torch.arange(count, dtype=torch.float32) / 4 - 2).reshape(shape)


def main():
    DATA.mkdir(parents=True, exist_ok=True)

    torch.manual_seed(1)
    bits = torch.randint(-(2**31), 2**31 - 1, (256,), dtype=torch.int32)
    corner_bits = [0x00000000, 0x80000000 - 2**32, 0x00000001, 0x00008000, 0x00018000, 0x3F800000, 0x3F808000,
                   0x3F818000, 0x3F808001, 0x3F807FFF, 0x7F7FFFFF, 0xFF7FFFFF - 2**32, 0x7F800000, 0xFF800000 - 2**32]
    bits = torch.cat([torch.tensor(corner_bits, dtype=torch.int32), bits])
    values = bits.view(torch.float32)
    values = values[~values.isnan()].clone()
    mixed = {
        "f32": ramp(3, 4),
        "f16": ramp(3, 4).half(),
        "bf16": ramp(3, 4).bfloat16(),
        "kernel": ramp(4, 3, 2, 2, 2).bfloat16(),
        "vector_f16": ramp(5).half(),
        "scalar": torch.tensor(0.5),
        "none": torch.zeros(0, 7),
        "long": torch.arange(6).reshape(2, 3),
        "f8": ramp(2, 2).to(torch.float8_e4m3fn),
        "rounding.f32": values,
        "rounding.bf16": values.bfloat16(),
        "name with \"quotes\", é and 😀": ramp(1, 1),
    }
    save_file(mixed, DATA / "mixed.safetensors", metadata={"format": "pt", "quote": "\"\\"})

    folder = DATA / "sharded"
    folder.mkdir(exist_ok=True)
    shards = {
        "model-00001-of-00002.safetensors": {"a.weight": ramp(2, 3), "b.weight": ramp(3).bfloat16()},
        "model-00002-of-00002.safetensors": {"c.weight": ramp(4, 2).half()},
    }
    weight_map = {}
    total = 0
    for name, tensors in shards.items():
        save_file(tensors, folder / name, metadata={"format": "pt"})
        for key, tensor in tensors.items():
            weight_map[key] = name
            total += tensor.numel() * tensor.element_size()
    index = {"metadata": {"total_size": total}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
