"""Backgrounds and text: what every picture starts from."""

import random
from dataclasses import dataclass

import numpy
from PIL import Image, ImageDraw, ImageFont

Box = tuple[float, float, float, float]


@dataclass
class Glyph:
    """One drawn character with the box of its ink in pixels."""

    character: str
    box: Box


def new_canvas(
    width: int, height: int, background: tuple[int, int, int], rng: random.Random
) -> Image.Image:
    """A plain background, or one with a mild gradient, noise or stripes."""
    kind = rng.random()
    if kind < 0.55:
        return Image.new("RGB", (width, height), background)
    field = numpy.empty((height, width, 3), dtype=numpy.float32)
    field[:] = background
    strength = rng.uniform(4, 16)
    if kind < 0.75:
        direction = rng.choice(("x", "y"))
        ramp = numpy.linspace(-strength, strength, width if direction == "x" else height)
        field += ramp[None, :, None] if direction == "x" else ramp[:, None, None]
    elif kind < 0.90:
        noise = numpy.random.default_rng(rng.getrandbits(32))
        field += noise.normal(0, strength / 3, (height, width, 1)).astype(numpy.float32)
    else:
        period = rng.randint(8, 40)
        field[:, (numpy.arange(width) // period) % 2 == 0] -= strength / 2
    return Image.fromarray(numpy.clip(field, 0, 255).astype(numpy.uint8))


def text_size(text: str, font: ImageFont.FreeTypeFont) -> tuple[int, int]:
    """Width and height of the ink of `text` in pixels."""
    x1, y1, x2, y2 = font.getbbox(text)
    return x2 - x1, y2 - y1


def draw_text(
    image: Image.Image,
    text: str,
    left: float,
    top: float,
    font: ImageFont.FreeTypeFont,
    ink: tuple[int, int, int],
) -> tuple[Box, list[Glyph]]:
    """Draws `text` with its ink starting at (left, top); returns the box and every glyph."""
    pen = ImageDraw.Draw(image)
    x1, y1, x2, y2 = font.getbbox(text)
    origin_x, origin_y = round(left - x1), round(top - y1)
    pen.text((origin_x, origin_y), text, font=font, fill=ink)
    glyphs = []
    for index, character in enumerate(text):
        if character == " ":
            continue
        advance = font.getlength(text[:index])
        gx1, gy1, gx2, gy2 = font.getbbox(character)
        glyphs.append(
            Glyph(
                character,
                (origin_x + advance + gx1, origin_y + gy1, origin_x + advance + gx2, origin_y + gy2),
            )
        )
    box = (origin_x + x1, origin_y + y1, origin_x + x2, origin_y + y2)
    return box, glyphs
