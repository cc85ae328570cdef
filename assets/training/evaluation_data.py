"""Draws the evaluation pictures: seeds that no training picture has, half of them in fonts that no
training picture has.

    python evaluation_data.py OUT_DIR --pictures 120

writes OUT_DIR/pictures/*.png and OUT_DIR/evaluation.jsonl, one question a line:
{"image": "pictures/000.png", "prompt": "...", "answer": "...", "task": "count"}.
The same numbers give the same files.
"""

import argparse
import json
import random
from pathlib import Path

from fonts import HELD_OUT_FONTS, TRAINING_FONTS
from mixes import Mix, draw_picture
from questions import Question, question_about_itself, questions_about
from scene import Picture

SIDES_PX = (192, 224, 256, 288, 320, 352, 384)
MIX = Mix((), 0, 0.2, 0.08, 8)


def evaluation_picture(
    index: int, seed: int, sides: tuple[int, ...] = SIDES_PX, fonts: str = "both"
) -> tuple[Picture, list[Question]]:
    """Picture `index` of a seed with one question per task. `fonts`: training, held-out or both."""
    rng = random.Random(f"evaluation/{seed}/{index}")
    width, height = rng.choice(sides), rng.choice(sides)
    held_out = fonts == "held-out" or (fonts == "both" and index % 2 == 1)
    picture = draw_picture(
        width, height, MIX, HELD_OUT_FONTS if held_out else TRAINING_FONTS, rng
    )
    asked = questions_about(picture, rng)
    rng.shuffle(asked)
    by_task = {question.task: question for question in asked}
    return picture, list(by_task.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=120)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--self-questions", type=int, default=20)
    parser.add_argument("--sides", help="comma-separated sides in pixels (default: 192 to 384)")
    options = parser.parse_args()
    sides = tuple(int(side) for side in options.sides.split(",")) if options.sides else SIDES_PX
    (options.out / "pictures").mkdir(parents=True, exist_ok=True)
    lines = []
    for index in range(options.pictures):
        picture, questions = evaluation_picture(index, options.seed, sides)
        name = f"pictures/{index:03}.png"
        picture.image.save(options.out / name, optimize=True)
        for question in questions:
            lines.append(
                {
                    "image": name,
                    "prompt": question.prompt,
                    "answer": question.answer,
                    "task": question.task,
                }
            )
    rng = random.Random(f"evaluation/{options.seed}/self")
    for _ in range(options.self_questions):
        question = question_about_itself(rng)
        lines.append({"prompt": question.prompt, "answer": question.answer, "task": "self"})
    with open(options.out / "evaluation.jsonl", "w") as file:
        for line in lines:
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
