#!/usr/bin/env python3
"""Writes tests/data/vision: pictures of every format and kind that is read, and what Pillow, torchvision and
transformers make of them.

Run by hand: pip install torch torchvision pillow numpy transformers (transformers 5.24); python3 tests/reference/vision_goldens.py

    pictures/*           small picture files
    pictures.json        for each: size, orientation and SHA-256 of its RGB pixels, upright and on white
    resize.json          SHA-256 of torchvision's resize of a picture made by a formula (see `formula_picture`)
    smart_resize.json    transformers' smart_resize over many sizes and settings
    processors/*         settings of image processors, in the layouts of transformers 4 and 5
    pixel_values.json    SHA-256 of what AutoImageProcessor with these settings gives (float32), and its first values
"""

import json
import shutil
import warnings

import numpy as np
import torch
from PIL import Image
from torchvision.transforms import InterpolationMode
from torchvision.transforms.v2 import functional as tv
from transformers import AutoImageProcessor
from transformers.models.qwen2_vl.image_processing_qwen2_vl import smart_resize

from picture_files import DATA, PICTURES, dump, make_pictures, rgb_of, sha256


def formula_picture(width, height):
    """Pixel (x, y), channel c: bits 8 to 15 of (73856093 x) ^ (19349663 y) ^ (83492791 c), 32-bit arithmetic."""
    y, x, c = np.meshgrid(np.arange(height, dtype=np.uint32), np.arange(width, dtype=np.uint32),
                          np.arange(3, dtype=np.uint32), indexing="ij")
    mixed = (x * np.uint32(73856093)) ^ (y * np.uint32(19349663)) ^ (c * np.uint32(83492791))
    return ((mixed >> np.uint32(8)) & np.uint32(255)).astype(np.uint8)


def torchvision_resize(pixels, width, height, filter_name):
    mode = {"bicubic": InterpolationMode.BICUBIC, "bilinear": InterpolationMode.BILINEAR}[filter_name]
    tensor = torch.from_numpy(pixels).permute(2, 0, 1)
    return tv.resize(tensor, [height, width], interpolation=mode, antialias=True).permute(1, 2, 0).contiguous().numpy()


def make_resizes():
    sizes = [(640, 480, 640, 480), (640, 480, 640, 512), (640, 480, 512, 480), (640, 480, 896, 896), (80, 80, 256, 256),
             (1, 1, 256, 256), (1, 200, 32, 3648), (200, 1, 3648, 32), (20, 400, 32, 400), (1000, 600, 992, 608),
             (1920, 1080, 320, 192), (496, 528, 512, 512), (224, 224, 256, 256), (300, 200, 1, 1), (7, 5, 3, 2),
             (2, 3, 5, 7), (33, 47, 32, 32), (1500, 3, 64, 900)]
    random = np.random.default_rng(5)
    for _ in range(50):
        sizes.append(tuple(int(v) for v in np.exp(random.uniform(0, np.log(600), 4))))
    entries = []
    for width, height, new_width, new_height in sizes:
        pixels = formula_picture(width, height)
        for name in ("bicubic", "bilinear"):
            result = torchvision_resize(pixels, new_width, new_height, name)
            entry = {"from": [width, height], "to": [new_width, new_height], "filter": name, "sha256": sha256(result)}
            if result.size <= 150:
                entry["values"] = result.reshape(-1).tolist()
            entries.append(entry)
    dump("resize.json", entries)


def make_smart_resizes():
    sides = [1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 80, 100, 224, 255, 256, 257, 331, 480, 496, 528, 560, 600, 640, 777,
             1000, 1080, 1200, 1920, 2000, 2047, 3000, 3024, 4000, 4001, 4032, 4096, 4112, 5000, 8000, 10000, 12000]
    settings = [(65536, 16777216), (4096, 1048576), (65536, 262144), (1024, 16384), (3136, 1003520)]
    groups = []
    for least, most in settings:
        rows = []
        for width in sides:
            for height in sides:
                if max(width, height) / min(width, height) <= 200:
                    new_height, new_width = smart_resize(height, width, 32, least, most)
                    rows.append([width, height, new_width, new_height])
        groups.append({"least": least, "most": most, "rows": rows})
    refused = []
    for width, height in [(4001, 20), (20, 4001), (1, 201), (12345, 61), (100000, 1)]:
        try:
            smart_resize(height, width, 32, 65536, 16777216)
            raise AssertionError((width, height))
        except ValueError as error:
            refused.append({"width": width, "height": height, "message": str(error)})
    dump("smart_resize.json", {"settings": groups, "refused": refused})


QWEN3_VL = {"image_processor_type": "Qwen2VLImageProcessorFast", "processor_class": "Qwen3VLProcessor",
            "size": {"longest_edge": 16777216, "shortest_edge": 65536}, "patch_size": 16, "temporal_patch_size": 2,
            "merge_size": 2, "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5]}


def make_processors():
    processors = {
        "published": QWEN3_VL,
        "nested": QWEN3_VL,
        "small": {**QWEN3_VL, "size": {"longest_edge": 100000, "shortest_edge": 4096}},
        "older_names": {**QWEN3_VL, "min_pixels": 5000, "max_pixels": 50000},
        "other_colors": {**QWEN3_VL, "image_mean": [0.48, 0.45, 0.41], "image_std": [0.26, 0.27, 0.28],
                         "rescale_factor": 0.00390625},
        "class_defaults": {k: v for k, v in QWEN3_VL.items() if k not in ("size", "image_mean", "image_std")},
        "bilinear": {**QWEN3_VL, "resample": 2, "size": {"longest_edge": 40000, "shortest_edge": 4096}},
    }
    shutil.rmtree(DATA / "processors", ignore_errors=True)
    for name, settings in processors.items():
        folder = DATA / "processors" / name
        folder.mkdir(parents=True)
        if name == "nested":
            nested = {"image_processor": settings, "processor_class": "Qwen3VLProcessor"}
            (folder / "processor_config.json").write_text(json.dumps(nested, indent=1) + "\n")
        else:
            (folder / "preprocessor_config.json").write_text(json.dumps(settings, indent=1) + "\n")
    return processors


def make_pixel_values():
    entries = []
    for processor in make_processors():
        reference = AutoImageProcessor.from_pretrained(DATA / "processors" / processor)
        for picture in ("larger.jpg", "rgba.png", "one_pixel.jpg", "oriented_6.jpg"):
            rgb = Image.fromarray(rgb_of(PICTURES / picture))
            result = reference(images=rgb, return_tensors="pt")
            values = result["pixel_values"].numpy()
            entries.append({"processor": processor, "picture": picture, "grid": result["image_grid_thw"][0].tolist()[1:],
                            "sha256": sha256(values), "first": values[0, :8].astype(float).tolist()})
    dump("pixel_values.json", entries)


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    make_pictures()
    make_resizes()
    make_smart_resizes()
    make_pixel_values()


if __name__ == "__main__":
    main()
