"""Right or wrong: exact for short answers, the share of right items for the long ones."""

import json
from collections import Counter

LONG_TASKS = ("describe", "boxes", "box", "chart_table", "table")
MIN_OVERLAP = 0.5


def exact(answer: str, truth: str) -> bool:
    """Equal after trimming and case folding."""
    return answer.strip().casefold() == truth.strip().casefold()


def _overlap(a: list[float], b: list[float]) -> float:
    """Intersection over union of two boxes."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    if wide <= 0 or high <= 0:
        return 0.0
    shared = wide * high
    area = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return shared / (area - shared)


def _boxes(text: str) -> list[tuple[str, list[float]]]:
    try:
        return [
            (str(item["label"]), [float(value) for value in item["bbox_2d"]])
            for item in json.loads(text)
            if len(item["bbox_2d"]) == 4
        ]
    except (ValueError, KeyError, TypeError):
        return []


def _box_share(answer: str, truth: str) -> float:
    found = _boxes(answer)
    wanted = _boxes(truth)
    right = 0
    for label, box in wanted:
        for index, (other, guess) in enumerate(found):
            if other == label and _overlap(box, guess) >= MIN_OVERLAP:
                right += 1
                del found[index]
                break
    return right / max(1, len(wanted))


def _cells(text: str) -> dict[tuple[int, int], str]:
    rows = [line.strip().strip("|").split("|") for line in text.strip().splitlines()]
    return {
        (row, column): cell.strip()
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if set(cell.strip()) - {"-"}
    }


def item_share(task: str, answer: str, truth: str) -> float:
    """The share of the truth's items that the answer has right.

    describe: things, in any order; tables: cells in their place; boxes: label and IoU >= 0.5.
    """
    if task in ("boxes", "box"):
        return _box_share(answer, truth)
    if task in ("chart_table", "table"):
        wanted, found = _cells(truth), _cells(answer)
        return sum(found.get(place) == cell for place, cell in wanted.items()) / len(wanted)
    wanted = Counter(truth.split(", "))
    shared = wanted & Counter(answer.split(", "))
    return sum(shared.values()) / sum(wanted.values())
