"""Questions with true answers about a drawn picture."""

import json
import random
from collections import Counter
from dataclasses import dataclass

from palette import COLOUR_NAMES
from scene import Picture, Thing, reading_order
from self_questions import self_question
from shapes import SHAPE_NAMES
from wordings import SIDES, put

# Two things count as left and right of each other from this share of the side on.
MARGIN = 0.08


@dataclass
class Question:
    """One prompt with its answer; `task` is the name under which accuracy is counted."""

    task: str
    prompt: str
    answer: str


def plural(shape: str) -> str:
    return shape + ("es" if shape.endswith(("s", "x")) else "s")


def _calls(thing: Thing, picture: Picture, rng: random.Random) -> str:
    """How a question refers to a thing that has no double."""
    if thing.kind != "shape":
        if len(picture.of_kind(thing.kind)) == 1 and rng.random() < 0.6:
            return f"the {thing.kind}"
        return f"the {thing.kind} {thing.text}"
    alike = [item for item in picture.of_kind("shape") if item.shape == thing.shape]
    if len(alike) == 1 and rng.random() < 0.6:
        return f"the {thing.shape}"
    return f"the {thing.name}"


def _unique(picture: Picture) -> list[Thing]:
    names = Counter(thing.name for thing in picture.things)
    return [thing for thing in picture.things if names[thing.name] == 1]


def _attributes(picture: Picture, rng: random.Random):
    shapes = picture.of_kind("shape")
    by_shape = Counter(thing.shape for thing in shapes)
    by_colour = Counter(thing.colour for thing in shapes)
    for thing in shapes:
        if by_shape[thing.shape] == 1:
            yield Question("colour", put("colour", rng, shape=thing.shape), thing.colour)
        if by_colour[thing.colour] == 1:
            yield Question("shape", put("shape", rng, colour=thing.colour), thing.shape)


def _counts(picture: Picture, rng: random.Random):
    shapes = picture.of_kind("shape")
    if not shapes:
        return
    only_shapes = len(shapes) == len(picture.things)
    wording = "count_objects" if only_shapes and rng.random() < 0.4 else "count"
    yield Question("count", put(wording, rng), str(len(shapes)))
    colours = Counter(thing.colour for thing in shapes)
    present, absent = rng.choice(list(colours)), rng.choice(COLOUR_NAMES)
    colour = present if rng.random() < 0.85 else absent
    yield Question(
        "count_colour", put("count_colour", rng, colour=colour), str(colours.get(colour, 0))
    )
    kinds = Counter(thing.shape for thing in shapes)
    present, absent = rng.choice(list(kinds)), rng.choice(SHAPE_NAMES)
    shape = present if rng.random() < 0.85 else absent
    yield Question(
        "count_shape", put("count_shape", rng, shapes=plural(shape)), str(kinds.get(shape, 0))
    )


def _places(picture: Picture, rng: random.Random):
    width, height = picture.image.size
    for thing in _unique(picture):
        x, y = thing.centre[0] / width - 0.5, thing.centre[1] / height - 0.5
        name = _calls(thing, picture, rng)
        if abs(x) > MARGIN:
            side = "left" if x < 0 else "right"
            yield Question("place", put("place_x", rng, thing=name), side)
        if abs(y) > MARGIN:
            side = "top" if y < 0 else "bottom"
            yield Question("place", put("place_y", rng, thing=name), side)


def _relations(picture: Picture, rng: random.Random):
    width, height = picture.image.size
    things = _unique(picture)
    if len(things) < 2:
        return
    for _ in range(4):
        one, two = rng.sample(things, 2)
        dx = (one.centre[0] - two.centre[0]) / width
        dy = (one.centre[1] - two.centre[1]) / height
        names = {"thing": _calls(one, picture, rng), "other": _calls(two, picture, rng)}
        if abs(dx) > MARGIN and rng.random() < 0.5:
            answer = "left" if dx < 0 else "right"
            yield Question("relation", put("relation_x", rng, **names), answer)
        elif abs(dy) > MARGIN:
            answer = "above" if dy < 0 else "below"
            yield Question("relation", put("relation_y", rng, **names), answer)


def _besides(picture: Picture, rng: random.Random):
    """What is left of X: asked where exactly one thing is, and no other comes near to it."""
    width, height = picture.image.size
    unique = _unique(picture)
    for other in unique:
        x, y = other.centre
        offsets = [
            ((item.centre[0] - x) / width, (item.centre[1] - y) / height, item)
            for item in picture.things
            if item is not other
        ]
        sides = {
            "left": [(-dx, item) for dx, _, item in offsets],
            "right": [(dx, item) for dx, _, item in offsets],
            "above": [(-dy, item) for _, dy, item in offsets],
            "below": [(dy, item) for _, dy, item in offsets],
        }
        for side, placed in sides.items():
            there = [item for offset, item in placed if offset > MARGIN]
            doubtful = [item for offset, item in placed if 0 < offset <= MARGIN]
            if len(there) == 1 and not doubtful:
                prompt = put(
                    "beside", rng, side=rng.choice(SIDES[side]), other=_calls(other, picture, rng)
                )
                yield Question("beside", prompt, there[0].name)


def _reading(picture: Picture, rng: random.Random):
    words, numbers = picture.of_kind("word"), picture.of_kind("number")
    if len(numbers) == 1:
        yield Question("number", put("number", rng), numbers[0].text)
    if len(words) == 1:
        text = words[0].text
        yield Question("word", put("word", rng), text)
        yield Question("letter", put("letter_first", rng), text[0])
        yield Question("letter", put("letter_last", rng), text[-1])
    elif len(words) > 1:
        for word in words:
            yield Question("find", put("find", rng, letter=word.text[0]), word.text)


def json_boxes(things: list[Thing], width: int, height: int) -> str:
    """Qwen3-VL's grounding format: corners in thousandths of the picture."""
    items = []
    for thing in things:
        x1, y1, x2, y2 = thing.box
        corners = [x1 / width, y1 / height, x2 / width, y2 / height]
        box = [min(1000, max(0, round(1000 * corner))) for corner in corners]
        items.append({"bbox_2d": box, "label": thing.name})
    return json.dumps(items)


def _with_article(thing: Thing) -> str:
    article = "the" if thing.kind != "shape" else "an" if thing.colour == "orange" else "a"
    return f"{article} {thing.name}"


def _long(picture: Picture, rng: random.Random):
    ordered = reading_order(picture.things)
    if ordered is None:
        return
    width, height = picture.image.size
    yield Question(
        "describe", put("describe", rng), ", ".join(_with_article(thing) for thing in ordered)
    )
    shapes = [thing for thing in ordered if thing.kind == "shape"]
    if 0 < len(shapes) <= 6:
        yield Question("boxes", put("boxes", rng), json_boxes(shapes, width, height))
    for thing in _unique(picture):
        if thing.kind == "shape":
            name = _calls(thing, picture, rng)
            yield Question("box", put("box", rng, thing=name), json_boxes([thing], width, height))


def markdown(rows: list[list[str]]) -> str:
    """A Markdown table whose first row is the header."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines)


def _chart(picture: Picture, rng: random.Random):
    chart = picture.chart
    ranked = sorted(zip(chart.values, chart.labels))
    yield Question("chart_high", put("chart_high", rng), ranked[-1][1])
    yield Question("chart_low", put("chart_low", rng), ranked[0][1])
    yield Question("chart_bars", put("chart_bars", rng), str(len(ranked)))
    if chart.printed:
        for label, value in zip(chart.labels, chart.values):
            yield Question("chart_value", put("chart_value", rng, label=label), str(value))
        rows = [["Label", "Value"]]
        rows += [[label, str(value)] for label, value in zip(chart.labels, chart.values)]
        yield Question("chart_table", put("chart_table", rng), markdown(rows))


def questions_about(picture: Picture, rng: random.Random) -> list[Question]:
    """Every question that this picture answers without doubt, in no particular order."""
    if picture.chart is not None:
        return list(_chart(picture, rng))
    if picture.table is not None:
        return [Question("table", put("table", rng), markdown(picture.table))]
    asked = []
    for ask in (_attributes, _counts, _places, _relations, _besides, _reading, _long):
        asked += ask(picture, rng)
    return asked


def question_about_itself(rng: random.Random) -> Question:
    prompt, answer = self_question(rng)
    return Question("self", prompt, answer)
