"""Draws the pictures that ship for first runs.

    python draw_samples.py OUT_DIR

writes a few PNG files and samples.jsonl with questions about them.
"""

import json
import random
import sys
from pathlib import Path

from charts import draw_chart
from fonts import TRAINING_FONTS
from questions import Question, questions_about
from scene import draw_scene

# name -> (seed, what draws it, tasks to ask about)
SAMPLES = {
    "shapes": (61, lambda rng: draw_scene(256, 256, TRAINING_FONTS, rng, 5), ("colour", "shape", "count")),
    "text": (
        3,
        lambda rng: draw_scene(256, 192, TRAINING_FONTS, rng, 1, 1, 1),
        ("word", "number", "letter"),
    ),
    "mixed": (
        4,
        lambda rng: draw_scene(320, 256, TRAINING_FONTS, rng, 3, 1, 1),
        ("describe", "colour", "count", "word", "number"),
    ),
    "chart": (
        15,
        lambda rng: draw_chart(256, 256, TRAINING_FONTS, rng),
        ("chart_high", "chart_low", "chart_value"),
    ),
}  # fmt: skip


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "samples.jsonl", "w") as file:
        for name, (seed, draw, tasks) in SAMPLES.items():
            rng = random.Random(f"samples/{seed}")
            picture = draw(rng)
            picture.image.save(folder / f"{name}.png", optimize=True)
            by_task: dict[str, Question] = {}
            for question in questions_about(picture, rng):
                by_task.setdefault(question.task, question)
            for task in tasks:
                if task in by_task:
                    question = by_task[task]
                    line = {
                        "image": f"{name}.png",
                        "prompt": question.prompt,
                        "answer": question.answer,
                        "task": task,
                    }
                    file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
