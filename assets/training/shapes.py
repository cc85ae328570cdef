"""The shapes of the drawn pictures, each inside the unit square around the origin."""

import functools
import math
import random

from PIL import Image, ImageDraw

SHAPE_NAMES = ["circle", "square", "triangle", "star", "cross", "diamond", "heart", "ring"]

# Shapes are drawn this many times larger and reduced, which smooths their edges.
OVERSAMPLING = 3


def _regular(corners: int, phase_deg: float, inner: float = 1.0) -> list[tuple[float, float]]:
    points = []
    for index in range(corners):
        angle = math.radians(phase_deg + 360 * index / corners)
        radius = inner if index % 2 else 1.0
        points.append((radius * math.cos(angle), radius * math.sin(angle)))
    return points


def _heart() -> list[tuple[float, float]]:
    points = []
    for index in range(48):
        t = 2 * math.pi * index / 48
        x = 16 * math.sin(t) ** 3
        y = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        points.append((x / 16, -(y + 2.5) / 16))
    return points


def _cross(arm: float) -> list[tuple[float, float]]:
    a = arm
    return [(-a, -1), (a, -1), (a, -a), (1, -a), (1, a), (a, a),
            (a, 1), (-a, 1), (-a, a), (-1, a), (-1, -a), (-a, -a)]  # fmt: skip


@functools.lru_cache(maxsize=None)
def _outline(shape: str) -> tuple[tuple[float, float], ...]:
    outlines = {
        "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        "triangle": [(0, -0.95), (0.98, 0.85), (-0.98, 0.85)],
        "star": _regular(10, -90, 0.42),
        "cross": _cross(0.34),
        "diamond": [(0, -1), (0.75, 0), (0, 1), (-0.75, 0)],
        "heart": _heart(),
    }
    return tuple(outlines[shape])


def draw_shape(
    image: Image.Image,
    shape: str,
    centre: tuple[float, float],
    radius: float,
    colour: tuple[int, int, int],
    rng: random.Random,
) -> tuple[float, float, float, float]:
    """Draws one shape and returns its box `(x1, y1, x2, y2)` in pixels, ends exclusive."""
    size = 2 * math.ceil(radius) + 4
    scale = OVERSAMPLING
    mask = Image.new("L", (size * scale, size * scale), 0)
    pen = ImageDraw.Draw(mask)
    middle = size * scale / 2
    reach = radius * scale
    if shape in ("circle", "ring"):
        pen.ellipse((middle - reach, middle - reach, middle + reach, middle + reach), fill=255)
        if shape == "ring":
            hole = reach * rng.uniform(0.50, 0.65)
            pen.ellipse((middle - hole, middle - hole, middle + hole, middle + hole), fill=0)
    else:
        turn = math.radians(rng.uniform(-8, 8)) if rng.random() < 0.4 else 0.0
        cosine, sine = math.cos(turn), math.sin(turn)
        pen.polygon(
            [
                (middle + reach * (x * cosine - y * sine), middle + reach * (x * sine + y * cosine))
                for x, y in _outline(shape)
            ],
            fill=255,
        )
    mask = mask.reduce(scale)
    left = round(centre[0] - size / 2)
    top = round(centre[1] - size / 2)
    image.paste(colour, (left, top), mask)
    x1, y1, x2, y2 = mask.point(lambda value: 255 if value > 96 else 0).getbbox()
    return (left + x1, top + y1, left + x2, top + y2)
