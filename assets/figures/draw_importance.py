"""Draws what a profile and an evaluation of one model say, as one SVG picture. Needs nothing beyond Python.

    python draw_importance.py PROFILE.json EVAL.json OUT.svg

PROFILE is what `poplens-cli importance --ablation` writes, EVAL what `poplens-cli eval --json` prints for the same model
and data with the methods full, pop and decode at several depths. Above: the importance of every layer in the prefill and
in the decode. Below: the rise of the answer's loss when the last layers are pruned in the prefill, as the matrix of the
gates' derivatives predicts it, as the plain sum of importances does, and as it was measured.
"""

import json
import math
import sys

WIDTH, LEFT, RIGHT = 760, 64, 16
PANEL, GAP, TOP = 190, 64, 40
PREFILL, DECODE, SUM, INK, FAINT = "#0f766e", "#b45309", "#94a3b8", "#1f2937", "#e5e7eb"


def text(x, y, words, anchor="middle", size=12, colour=INK):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{words}</text>'


def decades(values):
    """A logarithmic axis that holds all positive values, of at most six decades."""
    positive = [value for value in values if value > 0]
    high = math.ceil(math.log10(max(positive))) if positive else 0
    low = max(high - 6, math.floor(math.log10(min(positive)))) if positive else -1
    return low, max(high, low + 1)


class Panel:
    """A chart area with a logarithmic y axis."""

    def __init__(self, top, title, values):
        self.top, self.low_high = top, decades(values)
        self.parts = [text(LEFT, top - 14, title, "start", 13)]
        low, high = self.low_high
        for power in range(low, high + 1):
            y = self.y(10.0**power)
            self.parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{FAINT}"/>')
            self.parts.append(text(LEFT - 8, y + 4, f"{10.0 ** power:g}", "end", 11))

    def y(self, value):
        low, high = self.low_high
        share = (math.log10(max(value, 10.0**low)) - low) / (high - low)
        return self.top + PANEL * (1 - min(share, 1.0))

    def labels(self, names, caption):
        step = (WIDTH - LEFT - RIGHT) / len(names)
        for index, name in enumerate(names):
            self.parts.append(text(LEFT + (index + 0.5) * step, self.top + PANEL + 16, name, size=11))
        self.parts.append(text((LEFT + WIDTH - RIGHT) / 2, self.top + PANEL + 34, caption, size=12))
        return step

    def legend(self, entries):
        x = WIDTH - RIGHT
        for name, colour in reversed(entries):
            self.parts.append(text(x, self.top - 14, name, "end"))
            x -= 7 * len(name) + 14
            self.parts.append(f'<rect x="{x:.1f}" y="{self.top - 24}" width="10" height="10" rx="2" fill="{colour}"/>')
            x -= 14


def importance_panel(profile, top):
    layers = profile["layers"]
    stages = [("prefill_text", "prefill", PREFILL), ("decode_text", "decode", DECODE)]
    values = {key: [layer[key]["importance"] for layer in layers] for key, _, _ in stages}
    panel = Panel(top, "Importance of each layer, nats an answer", sum(values.values(), []))
    step = panel.labels([str(layer["layer"]) for layer in layers], "layer")
    panel.legend([(name, colour) for _, name, colour in stages])
    bottom = top + PANEL
    for place, (key, _, colour) in enumerate(stages):
        for index, value in enumerate(values[key]):
            y, x = panel.y(value), LEFT + (index + 0.14 + 0.37 * place) * step
            panel.parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{0.34 * step:.1f}" height="{max(bottom - y, 0):.1f}" fill="{colour}"/>'
            )
    return panel.parts


def predicted_rises(profile):
    """Per depth: by the matrix, and by the sum of single importances."""
    layers, matrix = profile["layers"], profile["fisher_matrix"]["prefill_text"]
    by_matrix, by_sum = [], []
    for depth in range(1, len(layers) + 1):
        chosen = range(len(layers) - depth, len(layers))
        gradient = sum(layers[i]["prefill_text"]["gradient"] for i in chosen)
        by_matrix.append(-gradient + 0.5 * sum(matrix[i][j] for i in chosen for j in chosen))
        by_sum.append(sum(layers[i]["prefill_text"]["importance"] for i in chosen))
    return by_matrix, by_sum


def measured_rises(evaluation, method):
    rows = [row for row in evaluation["rows"] if row["task"] == "all" and row["boundary"] != "last"]
    full = next(row["loss"] for row in rows if row["method"] == "full")
    return {row["depth"]: row["loss"] - full for row in rows if row["method"] == method and row["depth"] > 0}


def rise_panel(profile, evaluation, top):
    by_matrix, by_sum = predicted_rises(profile)
    pop, decode = measured_rises(evaluation, "pop"), measured_rises(evaluation, "decode")
    panel = Panel(
        top, "Rise of the loss, nats an answer", [*by_matrix, *by_sum, *pop.values(), *decode.values()]
    )
    step = panel.labels([str(depth) for depth in range(1, len(by_matrix) + 1)], "last layers pruned")
    panel.legend(
        [("predicted", PREFILL), ("plain sum", SUM), ("measured", INK), ("decode pruned", DECODE)]
    )

    def x(depth):
        return LEFT + (depth - 0.5) * step

    for values, colour in ((by_sum, SUM), (by_matrix, PREFILL)):
        points = " ".join(f"{x(depth):.1f},{panel.y(value):.1f}" for depth, value in enumerate(values, 1))
        panel.parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for values, colour in ((decode, DECODE), (pop, INK)):
        for depth, value in sorted(values.items()):
            panel.parts.append(f'<circle cx="{x(depth):.1f}" cy="{panel.y(value):.1f}" r="4" fill="{colour}"/>')
    return panel.parts


def draw(profile, evaluation):
    second = TOP + PANEL + GAP
    height = second + PANEL + 48
    parts = importance_panel(profile, TOP) + rise_panel(profile, evaluation, second)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="Inter, Helvetica, Arial, sans-serif"><rect width="100%" height="100%" fill="white"/>'
        + "\n".join(parts)
        + "</svg>\n"
    )


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    with open(sys.argv[1]) as profile, open(sys.argv[2]) as evaluation:
        picture = draw(json.load(profile), json.load(evaluation))
    with open(sys.argv[3], "w") as out:
        out.write(picture)


if __name__ == "__main__":
    main()
