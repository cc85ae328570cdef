"""Densely filled pictures for the vision stage: shapes, words and numbers side by side."""

import random

from PIL import Image

from canvas import draw_text, new_canvas, text_size
from fonts import sample_font
from palette import sample_background, sample_colour, sample_ink, visible_colours
from patch_labels import CHARACTERS, PatchLabels
from shapes import SHAPE_NAMES, draw_shape


def _place_text(image, labels, cell, background, fonts, rng) -> None:
    left, top, width, height = cell
    font = sample_font(fonts, rng.randint(23, max(24, min(46, height))), rng)
    alphabet = CHARACTERS if rng.random() < 0.4 else CHARACTERS[:26]
    text = rng.choice(alphabet)
    while len(text) < 12:
        longer = text + rng.choice(alphabet)
        if text_size(longer, font)[0] > width:
            break
        text = longer
    wide, high = text_size(text, font)
    if wide > width or high > height:
        return
    x = left + rng.uniform(0, width - wide)
    y = top + rng.uniform(0, height - high)
    _, glyphs = draw_text(image, text, x, y, font, sample_ink(background, rng))
    labels.add_glyphs(glyphs)


def _place_shapes(image, labels, cell, background, rng) -> None:
    left, top, width, height = cell
    names = visible_colours(background)
    x = left
    while True:
        radius = rng.uniform(9, height / 2 - 1)
        if x + 2 * radius > left + width:
            return
        shape, colour = rng.choice(SHAPE_NAMES), rng.choice(names)
        y = rng.uniform(top + radius, top + height - radius)
        box = draw_shape(image, shape, (x + radius, y), radius, sample_colour(colour, rng), rng)
        labels.add_shape(shape, colour, box)
        x += 2 * radius + rng.uniform(2, 16)


def dense_picture(
    side: int, fonts: list[str], rng: random.Random
) -> tuple[Image.Image, PatchLabels]:
    """A square picture filled with rows of text and shapes, and its patch labels."""
    background = sample_background(rng)
    image = new_canvas(side, side, background, rng)
    labels = PatchLabels(side, side)
    top = rng.randint(0, 8)
    while top < side - 24:
        height = min(rng.randint(28, 52), side - top)
        left = rng.randint(0, 12)
        cell = (left, top, side - left - 1, height)
        if height >= 26 and rng.random() < 0.3:
            _place_shapes(image, labels, cell, background, rng)
        else:
            _place_text(image, labels, cell, background, fonts, rng)
        top += height + rng.randint(0, 8)
    return image, labels
