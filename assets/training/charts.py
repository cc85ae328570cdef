"""Bar charts with labelled bars, and small tables."""

import random
from dataclasses import dataclass

from PIL import ImageDraw

from canvas import draw_text, new_canvas, text_size
from fonts import load_font
from palette import sample_background, sample_colour, sample_ink, visible_colours
from patch_labels import PatchLabels
from scene import Picture
from words import CONSONANTS, VOWELS, sample_number, sample_word


@dataclass
class Chart:
    """Labels and values of the bars in drawing order; `printed`: the values stand at the bars."""

    labels: list[str]
    values: list[int]
    printed: bool


def _bar_labels(count: int, slot_px: float, rng: random.Random) -> list[str]:
    if slot_px < 58 or rng.random() < 0.5:
        if rng.random() < 0.5:
            return list("ABCDEFGHIJ"[:count])
        return rng.sample(CONSONANTS + VOWELS, count)
    labels: list[str] = []
    while len(labels) < count:
        word = sample_word(rng, longest=4)
        if all(word[0] != other[0] for other in labels):
            labels.append(word)
    return labels


def _bar_values(count: int, rng: random.Random) -> list[int]:
    """Distinct values whose largest and smallest stand out."""
    largest = rng.choice((9, 20, 50, 99, 99, 250))
    while True:
        values = [rng.randint(1, largest) for _ in range(count)]
        ordered = sorted(values)
        clear = 0.08 * ordered[-1]
        if ordered[-1] - ordered[-2] > clear and ordered[1] - ordered[0] > clear:
            return values


def _write(picture: Picture, text: str, x: float, y: float, font, ink) -> None:
    _, glyphs = draw_text(picture.image, text, x, y, font, ink)
    picture.labels.add_glyphs(glyphs)


def draw_chart(width: int, height: int, fonts: list[str], rng: random.Random) -> Picture:
    """A bar chart, upright three times out of four."""
    background = sample_background(rng)
    picture = Picture(new_canvas(width, height, background, rng), PatchLabels(width, height))
    most = max(2, min(7, width // 50))
    count = rng.randint(2, most)
    chart = Chart(_bar_labels(count, width / count, rng), _bar_values(count, rng), rng.random() < 0.8)
    picture.chart = chart
    ink = sample_ink(background, rng)
    upright = rng.random() < 0.75
    path = rng.choice(fonts)
    slot = (width - 12) / count if upright else (height - 8) / count
    size = round(rng.uniform(20, 30)) if upright else round(rng.uniform(20, min(30, slot * 0.9)))
    # Labels and values must fit their slot.
    widest = max(chart.labels + [str(value) for value in chart.values], key=len)
    while upright and size > 12 and text_size(widest, load_font(path, size))[0] > slot - 4:
        size -= 1
    font = load_font(path, size)
    names = visible_colours(background)
    same = sample_colour(rng.choice(names), rng) if rng.random() < 0.4 else None
    colours = [same or sample_colour(rng.choice(names), rng) for _ in range(count)]
    (_draw_upright if upright else _draw_lying)(picture, chart, slot, font, ink, colours, rng)
    return picture


def _draw_upright(picture, chart, slot, font, ink, colours, rng) -> None:
    width, height = picture.image.size
    pen = ImageDraw.Draw(picture.image)
    line = text_size("H", font)[1]
    base = height - line - 14
    reach = base - line - 16
    thick = slot * rng.uniform(0.45, 0.8)
    for index, (label, value) in enumerate(zip(chart.labels, chart.values)):
        middle = 6 + slot * (index + 0.5)
        top = base - max(3, reach * value / max(chart.values))
        pen.rectangle((middle - thick / 2, top, middle + thick / 2, base), fill=colours[index])
        _write(picture, label, middle - text_size(label, font)[0] / 2, base + 6, font, ink)
        if chart.printed:
            text = str(value)
            _write(picture, text, middle - text_size(text, font)[0] / 2, top - line - 5, font, ink)
    pen.line((4, base, width - 4, base), fill=ink, width=2)


def _draw_lying(picture, chart, slot, font, ink, colours, rng) -> None:
    width, height = picture.image.size
    pen = ImageDraw.Draw(picture.image)
    left = 10 + max(text_size(label, font)[0] for label in chart.labels)
    room = max(text_size(str(value), font)[0] for value in chart.values) + 12
    reach = width - left - room
    thick = slot * rng.uniform(0.45, 0.75)
    line = text_size("H", font)[1]
    for index, (label, value) in enumerate(zip(chart.labels, chart.values)):
        middle = 4 + slot * (index + 0.5)
        end = left + max(3, reach * value / max(chart.values))
        pen.rectangle((left, middle - thick / 2, end, middle + thick / 2), fill=colours[index])
        _write(picture, label, left - 5 - text_size(label, font)[0], middle - line / 2, font, ink)
        if chart.printed:
            _write(picture, str(value), end + 6, middle - line / 2, font, ink)
    pen.line((left, 4, left, height - 4), fill=ink, width=2)


def draw_table(width: int, height: int, fonts: list[str], rng: random.Random) -> Picture:
    """A table of two or three columns with a header row, ruled or not."""
    background = sample_background(rng)
    picture = Picture(new_canvas(width, height, background, rng), PatchLabels(width, height))
    columns = 2 if width < 300 else rng.randint(2, 3)
    rows = rng.randint(2, max(2, min(5, height // 56)))
    cells = []
    for row in range(rows):
        first = sample_word(rng, longest=5)
        rest = [
            sample_word(rng, longest=4) if row == 0 else sample_number(rng)[:3]
            for _ in range(columns - 1)
        ]
        cells.append([first, *rest])
    picture.table = cells
    ink = sample_ink(background, rng)
    path = rng.choice(fonts)
    cell_wide, cell_high = (width - 8) / columns, (height - 8) / rows
    size = round(min(rng.uniform(20, 34), cell_high * 0.7))
    longest = max((cell for row in cells for cell in row), key=len)
    while size > 12 and text_size(longest, load_font(path, size))[0] > cell_wide - 8:
        size -= 1
    font = load_font(path, size)
    line = text_size("H", font)[1]
    pen = ImageDraw.Draw(picture.image)
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            x = 4 + column * cell_wide + (cell_wide - text_size(text, font)[0]) / 2
            y = 4 + row * cell_high + (cell_high - line) / 2
            _write(picture, text, x, y, font, ink)
    if rng.random() < 0.7:
        for row in range(rows + 1):
            y = 4 + row * cell_high
            pen.line((4, y, width - 5, y), fill=ink)
        for column in range(columns + 1):
            x = 4 + column * cell_wide
            pen.line((x, 4, x, height - 5), fill=ink)
    else:
        pen.line((4, 4 + cell_high, width - 5, 4 + cell_high), fill=ink, width=2)
    return picture
