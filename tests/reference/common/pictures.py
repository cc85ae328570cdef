"""The pictures of the golden cases: small PNGs drawn from a seed.

Gradients, coloured shapes and coarse noise: enough differing patches that attention has something to tell apart, and
still only a few kilobytes a file.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw


@dataclass(frozen=True)
class Picture:
    name: str
    width: int
    height: int
    seed: int


PICTURES = [
    Picture("scene.png", 128, 96, 1),
    Picture("odd.png", 75, 50, 2),
    Picture("tiny.png", 20, 12, 3),
    Picture("wide.png", 416, 48, 4),
    Picture("tall.png", 48, 400, 5),
    Picture("large.png", 700, 500, 6),
]


def draw(picture: Picture) -> Image.Image:
    rng = np.random.default_rng(picture.seed)
    width, height = picture.width, picture.height
    x = np.linspace(0, 1, width)[None, :, None]
    y = np.linspace(0, 1, height)[:, None, None]
    corners = rng.uniform(0, 255, (4, 3))
    gradient = corners[0] * (1 - x) * (1 - y) + corners[1] * x * (1 - y) + corners[2] * (1 - x) * y + corners[3] * x * y
    noise = rng.uniform(-70, 70, (height // 8 + 1, width // 8 + 1, 3))
    noise = noise.repeat(8, axis=0).repeat(8, axis=1)[:height, :width]
    image = Image.fromarray(np.clip(gradient + noise, 0, 255).astype(np.uint8), "RGB")
    pen = ImageDraw.Draw(image)
    for _ in range(6 + width * height // 4000):
        colour = tuple(int(c) for c in rng.integers(0, 256, 3))
        left, top = rng.uniform(-0.1, 0.9) * width, rng.uniform(-0.1, 0.9) * height
        size = rng.uniform(0.15, 0.5) * min(width, height)
        box = [left, top, left + size, top + size]
        (pen.ellipse if rng.random() < 0.5 else pen.rectangle)(box, fill=colour)
    return image


def write_pictures(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        draw(picture).save(folder / picture.name, optimize=True)
