"""Scenes of shapes, words and numbers, drawn in rows with random gaps."""

import random
from dataclasses import dataclass, field

from PIL import Image

from canvas import Box, draw_text, new_canvas, text_size
from fonts import sample_font
from palette import sample_background, sample_colour, sample_ink, visible_colours
from patch_labels import PatchLabels
from shapes import SHAPE_NAMES, draw_shape
from words import sample_number, sample_word


@dataclass
class Thing:
    """One drawn thing. `kind` is shape, word or number; the box is in pixels."""

    kind: str
    shape: str = ""
    colour: str = ""
    text: str = ""
    box: Box = (0, 0, 0, 0)

    @property
    def name(self) -> str:
        """How an answer names it."""
        return f"{self.colour} {self.shape}" if self.kind == "shape" else f"{self.kind} {self.text}"

    @property
    def centre(self) -> tuple[float, float]:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass
class Picture:
    """A drawn picture and everything that questions can be asked about."""

    image: Image.Image
    labels: PatchLabels
    things: list[Thing] = field(default_factory=list)
    chart: object = None
    table: list[list[str]] | None = None

    def of_kind(self, kind: str) -> list[Thing]:
        return [thing for thing in self.things if thing.kind == kind]


@dataclass
class _Planned:
    thing: Thing
    width: float
    height: float
    font: object = None


def _plan_shape(band: float, colours: list[str], shapes: list[str], rng) -> _Planned:
    largest = min(band / 2 - 2, 60)
    radius = rng.uniform(max(10, 0.45 * largest), largest)
    thing = Thing("shape", shape=rng.choice(shapes), colour=rng.choice(colours))
    return _Planned(thing, 2 * radius + 2, 2 * radius + 2)


def _plan_text(kind: str, band: float, width: int, fonts: list[str], taken: set, rng) -> _Planned:
    while True:
        text = sample_word(rng) if kind == "word" else sample_number(rng)
        if text[0] not in taken:
            break
    taken.add(text[0])
    largest = min(band * 0.95, 24 + width / 10)
    for _ in range(8):
        font = sample_font(fonts, round(rng.uniform(25, max(26, largest))), rng)
        wide, high = text_size(text, font)
        if wide < width - 8 and high < band - 2:
            return _Planned(Thing(kind, text=text), wide, high, font)
    return _Planned(Thing(kind, text=text), wide, high, font)


def _fill_rows(planned: list[_Planned], rows: int, width: int, gap: float, rng):
    """Puts each thing into a row that still has room; things that fit nowhere are left out."""
    content: list[list[_Planned]] = [[] for _ in range(rows)]
    used = [gap] * rows
    for item in planned:
        fitting = [row for row in range(rows) if used[row] + item.width + gap <= width]
        if fitting:
            row = rng.choice(fitting)
            content[row].append(item)
            used[row] += item.width + gap
    return content, [width - row_used for row_used in used]


def draw_scene(
    width: int,
    height: int,
    fonts: list[str],
    rng: random.Random,
    shapes: int,
    words: int = 0,
    numbers: int = 0,
) -> Picture:
    """A picture of up to so many shapes, words and numbers (fewer where there is no room)."""
    background = sample_background(rng)
    picture = Picture(new_canvas(width, height, background, rng), PatchLabels(width, height))
    total = shapes + words + numbers
    most = max(1, min(height // 42, total + 1))
    least = max(1, min(most, round(total * 50 / width)))
    rows = rng.randint(least, most)
    band = height / rows
    colours = visible_colours(background)
    # Few kinds in one picture make counting by colour or by shape worth asking.
    if rng.random() < 0.4:
        colours = rng.sample(colours, min(len(colours), rng.randint(2, 4)))
    kinds = rng.sample(SHAPE_NAMES, rng.randint(2, 4)) if rng.random() < 0.4 else SHAPE_NAMES
    initials: set[str] = set()
    planned = [_plan_text("word", band, width, fonts, initials, rng) for _ in range(words)]
    planned += [_plan_text("number", band, width, fonts, initials, rng) for _ in range(numbers)]
    shrink = band if shapes <= 3 else min(band, 1.5 * (width * height / (shapes + 2)) ** 0.5 * 0.6)
    planned += [_plan_shape(max(26, shrink), colours, kinds, rng) for _ in range(shapes)]
    content, slack = _fill_rows(planned, rows, width, 6, rng)
    for row, items in enumerate(content):
        rng.shuffle(items)
        cuts = sorted(rng.uniform(0, slack[row]) for _ in items)
        x, before = 6.0, 0.0
        for item, cut in zip(items, cuts):
            x += cut - before
            before = cut
            free = max(0.0, band - item.height - 2)
            y = row * band + 1 + free / 2 + rng.uniform(-0.5, 0.5) * min(free, 0.6 * item.height)
            _draw(picture, item, x, y, background, rng)
            x += item.width + 6
    return picture


def _draw(picture: Picture, item: _Planned, x: float, y: float, background, rng) -> None:
    thing = item.thing
    if thing.kind == "shape":
        centre = (x + item.width / 2, y + item.height / 2)
        colour = sample_colour(thing.colour, rng)
        radius = item.width / 2 - 1
        thing.box = draw_shape(picture.image, thing.shape, centre, radius, colour, rng)
        picture.labels.add_shape(thing.shape, thing.colour, thing.box)
    else:
        ink = sample_ink(background, rng)
        thing.box, glyphs = draw_text(picture.image, thing.text, x, y, item.font, ink)
        picture.labels.add_glyphs(glyphs)
    picture.things.append(thing)


def reading_order(things: list[Thing]) -> list[Thing] | None:
    """Rows from top to bottom, each from left to right; None where rows are not clear."""
    rows: list[list[Thing]] = []
    for thing in sorted(things, key=lambda item: item.centre[1]):
        if rows:
            last = rows[-1]
            overlaps = [
                (min(thing.box[3], other.box[3]) - max(thing.box[1], other.box[1]))
                / min(thing.box[3] - thing.box[1], other.box[3] - other.box[1])
                for other in last
            ]
            if all(overlap > 0.35 for overlap in overlaps):
                last.append(thing)
                continue
            if any(overlap > 0.1 for overlap in overlaps):
                return None
        rows.append([thing])
    return [thing for row in rows for thing in sorted(row, key=lambda item: item.centre[0])]
