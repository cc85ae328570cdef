"""What the questions stage draws: picture sizes, kinds of scenes, and how often each task is asked."""

import random
from dataclasses import dataclass, field

from charts import draw_chart, draw_table
from questions import Question, question_about_itself, questions_about
from scene import Picture, draw_scene

# How eagerly a task is picked from all that a picture offers.
TASK_WEIGHT = {
    "colour": 2.0, "shape": 2.0, "count": 4.0, "count_colour": 1.5, "count_shape": 1.5,
    "place": 0.5, "relation": 1.0, "beside": 0.7, "number": 6.0, "word": 6.0, "letter": 1.5,
    "find": 2.0, "chart_high": 2.0, "chart_low": 2.0, "chart_bars": 1.0, "chart_value": 1.5,
    "describe": 6.0, "boxes": 0.6, "box": 0.5, "chart_table": 2.0, "table": 2.0,
}  # fmt: skip

# Where a thing has to be found before the question can be answered: asked more often once reading stands.
LOOKUP_WEIGHT = TASK_WEIGHT | {
    "colour": 8.0, "shape": 1.0, "count": 8.0, "count_colour": 4.0, "count_shape": 4.0, "place": 1.0,
    "relation": 3.0, "beside": 1.5, "number": 2.0, "word": 2.5, "letter": 0.5, "find": 1.0,
    "chart_high": 3.0, "chart_low": 3.0, "describe": 2.0, "boxes": 0.3, "box": 1.0, "chart_table": 1.0, "table": 1.0,
}  # fmt: skip

# What brings all of it together at the end.
BALANCED_WEIGHT = LOOKUP_WEIGHT | {
    "colour": 4.0, "count": 10.0, "count_colour": 3.0, "count_shape": 3.0, "number": 5.0, "word": 7.0, "find": 1.5,
}  # fmt: skip

# For the last steps, at a low learning rate: counting gains most from it.
COUNTING_WEIGHT = BALANCED_WEIGHT | {"count": 40.0, "word": 9.0, "number": 7.0}

# Everything, with most of it for what came last: charts, tables, boxes, long descriptions.
WHOLE_WEIGHT = BALANCED_WEIGHT | {
    "colour": 2.0, "shape": 0.5, "count": 14.0, "count_colour": 2.0, "count_shape": 4.0, "place": 0.5, "relation": 1.0,
    "beside": 2.0, "letter": 0.3, "find": 1.0, "chart_high": 6.0, "chart_low": 6.0, "chart_bars": 2.0,
    "chart_value": 5.0, "describe": 6.0, "boxes": 3.0, "box": 6.0, "chart_table": 4.0, "table": 8.0,
}  # fmt: skip

# The last steps after it: what had lost most while charts and large pictures were learned.
FINISH_WEIGHT = WHOLE_WEIGHT | {
    "count": 24.0, "count_colour": 8.0, "count_shape": 10.0, "word": 14.0, "number": 8.0, "find": 5.0, "beside": 3.0,
}  # fmt: skip

# Tasks that wait until the picture can be read at all.
LATER = ("relation", "beside", "boxes", "box", "chart_table")


@dataclass(frozen=True)
class Mix:
    """Sizes in pixels (width, height, pictures per micro-batch) and room for questions in tokens."""

    sizes: tuple[tuple[int, int, int], ...]
    question_tokens: int
    chart_share: float
    table_share: float
    most_shapes: int
    later_factor: float = 1.0
    task_weight: dict[str, float] = field(default_factory=lambda: TASK_WEIGHT)


# Few different numbers of patches and tokens: the compiler makes code for each.
MIXES = {
    "small": Mix(((128, 128, 12), (192, 192, 6)), 150, 0.08, 0.0, 5, 0.05),
    "medium": Mix(((192, 192, 6), (256, 192, 6), (192, 256, 6), (256, 256, 5)), 176, 0.2, 0.04, 8),
    "large": Mix(
        ((192, 192, 6), (256, 256, 5), (320, 256, 4), (256, 320, 4), (384, 384, 2)),
        192, 0.2, 0.06, 9,
    ),
    "wide": Mix(
        ((192, 192, 6), (256, 256, 5), (320, 256, 4), (256, 320, 4), (384, 384, 2), (512, 384, 2), (640, 512, 1)),
        192, 0.22, 0.06, 9,
    ),
    "lookup": Mix(((192, 192, 6), (256, 256, 4)), 176, 0.12, 0.02, 8, 1.0, LOOKUP_WEIGHT),
    "balanced": Mix(
        ((192, 192, 6), (256, 256, 4), (320, 256, 4), (256, 320, 4), (384, 384, 2)),
        192, 0.14, 0.04, 9, 1.0, BALANCED_WEIGHT,
    ),
    "counting": Mix(
        ((192, 192, 6), (256, 256, 4), (320, 256, 4), (256, 320, 4), (384, 384, 2)),
        160, 0.06, 0.02, 9, 1.0, COUNTING_WEIGHT,
    ),
    "charts": Mix(((192, 192, 6), (256, 256, 4)), 256, 0.36, 0.10, 9, 1.0, WHOLE_WEIGHT),
    "whole": Mix(
        ((192, 192, 6), (256, 256, 4), (320, 256, 3), (256, 320, 3), (384, 384, 2), (640, 512, 1)),
        288, 0.26, 0.08, 9, 1.0, WHOLE_WEIGHT,
    ),
    "finish": Mix(
        ((192, 192, 6), (256, 256, 4), (320, 256, 3), (256, 320, 3), (384, 384, 2), (640, 512, 1)),
        224, 0.18, 0.05, 9, 1.0, FINISH_WEIGHT,
    ),
    "full_size": Mix(
        ((192, 192, 6), (256, 256, 4), (320, 256, 3), (384, 384, 2), (512, 512, 1), (768, 576, 1), (1024, 768, 1)),
        288, 0.26, 0.08, 9, 1.0, WHOLE_WEIGHT,
    ),
}  # fmt: skip


def draw_picture(width: int, height: int, mix: Mix, fonts: list[str], rng: random.Random) -> Picture:
    """A chart, a table, or a scene of a few shapes, words and numbers."""
    kind = rng.random()
    if kind < mix.chart_share and width >= 160:
        return draw_chart(width, height, fonts, rng)
    if kind < mix.chart_share + mix.table_share and width >= 192:
        return draw_table(width, height, fonts, rng)
    most = max(2, round(mix.most_shapes * min(1.0, width * height / 192**2)))
    while True:
        texts = rng.random()
        words = 0 if texts < 0.25 else 1 if texts < 0.75 else 2 if texts < 0.92 else 3
        numbers = 1 if rng.random() < 0.5 else 0
        if width < 160:
            words, numbers = min(words, 1), numbers if words == 0 else 0
        if width < 256 and words > 2:
            words = 2
        shapes = rng.randint(0, most if words + numbers == 0 else max(2, most - 1))
        if shapes + words + numbers == 0:
            continue
        picture = draw_scene(width, height, fonts, rng, shapes, words, numbers)
        if picture.things:
            return picture


def pick_questions(picture: Picture, mix: Mix, rng: random.Random) -> list[Question]:
    """All questions about a picture in a weighted random order, now and then one about the model."""

    def key(question: Question) -> float:
        later = mix.later_factor if question.task in LATER else 1.0
        return rng.random() ** (1.0 / (mix.task_weight[question.task] * later))

    keyed = [(key(question), question) for question in questions_about(picture, rng)]
    keyed.sort(key=lambda pair: -pair[0])
    picked = [question for _, question in keyed]
    if rng.random() < 0.08:
        picked.insert(rng.randint(0, 3), question_about_itself(rng))
    return picked
