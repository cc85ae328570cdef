"""Colours of the drawn pictures: names, typical RGB values, and contrast."""

import colorsys
import random

# Name -> (hue range in degrees, saturation range, value range) of HSV.
COLOURS = {
    "red": ((-8, 6), (0.80, 1.0), (0.75, 1.0)),
    "orange": ((26, 36), (0.85, 1.0), (0.95, 1.0)),
    "yellow": ((50, 58), (0.80, 1.0), (0.92, 1.0)),
    "green": ((105, 145), (0.65, 1.0), (0.45, 0.80)),
    "blue": ((212, 236), (0.75, 1.0), (0.65, 1.0)),
    "purple": ((272, 288), (0.65, 0.95), (0.45, 0.75)),
    "pink": ((325, 345), (0.28, 0.48), (0.97, 1.0)),
    "brown": ((18, 28), (0.65, 0.85), (0.35, 0.52)),
    "black": ((0, 360), (0.0, 0.10), (0.0, 0.13)),
    "grey": ((0, 360), (0.0, 0.04), (0.48, 0.62)),
    "white": ((0, 360), (0.0, 0.02), (0.97, 1.0)),
}
COLOUR_NAMES = list(COLOURS)

# Squared RGB distance below which a colour is not put on a background.
MIN_CONTRAST = 90**2


def sample_colour(name: str, rng: random.Random) -> tuple[int, int, int]:
    """An RGB value that people would call `name`."""
    hue, saturation, value = COLOURS[name]
    rgb = colorsys.hsv_to_rgb(
        (rng.uniform(*hue) % 360) / 360, rng.uniform(*saturation), rng.uniform(*value)
    )
    return tuple(round(255 * channel) for channel in rgb)


def distance(a: tuple[int, int, int], b: tuple[int, int, int]) -> float:
    """Squared distance of two RGB values, green weighing most, as in luma."""
    return 0.9 * (a[0] - b[0]) ** 2 + 1.5 * (a[1] - b[1]) ** 2 + 0.6 * (a[2] - b[2]) ** 2


def visible_colours(background: tuple[int, int, int]) -> list[str]:
    """Colour names whose typical value stands out from `background`."""
    names = []
    for name, (hue, saturation, value) in COLOURS.items():
        middle = colorsys.hsv_to_rgb(
            (sum(hue) / 2 % 360) / 360, sum(saturation) / 2, sum(value) / 2
        )
        if distance(tuple(255 * channel for channel in middle), background) > MIN_CONTRAST:
            names.append(name)
    return names


def sample_background(rng: random.Random) -> tuple[int, int, int]:
    """A light background three times out of four, otherwise a dark or a coloured one."""
    kind = rng.random()
    if kind < 0.30:
        return (255, 255, 255)
    if kind < 0.75:
        base = rng.randint(222, 250)
        return tuple(min(255, base + rng.randint(-12, 12)) for _ in range(3))
    if kind < 0.90:
        base = rng.randint(8, 45)
        return tuple(base + rng.randint(-8, 12) for _ in range(3))
    pastel = colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.1, 0.3), rng.uniform(0.8, 0.97))
    return tuple(round(255 * channel) for channel in pastel)


def sample_ink(background: tuple[int, int, int], rng: random.Random) -> tuple[int, int, int]:
    """A text colour that can be read on `background`."""
    luma = 0.3 * background[0] + 0.6 * background[1] + 0.1 * background[2]
    while True:
        if luma > 128:
            ink = tuple(rng.randint(0, 30 if rng.random() < 0.5 else 150) for _ in range(3))
        else:
            ink = tuple(rng.randint(225 if rng.random() < 0.5 else 110, 255) for _ in range(3))
        if abs(0.3 * ink[0] + 0.6 * ink[1] + 0.1 * ink[2] - luma) > 95:
            return ink
