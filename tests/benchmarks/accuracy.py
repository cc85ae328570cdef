"""Exact-match accuracy per task of poplens-cli's greedy answers to a --data JSONL file, full and with POP.

    python3 tests/benchmarks/accuracy.py build/release/bin/poplens-cli demo-qwen3-vl assets/evaluation/evaluation.jsonl

Prints one JSON document. Standard library only.
"""

import argparse
import collections
import json
import pathlib
import subprocess


def answer(arguments, sample, folder, depth):
    command = [arguments.binary, "generate", "--model", arguments.model, "--prompt", sample["prompt"], "--temperature",
               "0", "--max-tokens", "120", "--pop-depth", str(depth), "--pop-boundary", arguments.boundary, "--json"]
    if "image" in sample:
        command += ["--image", str(folder / sample["image"])]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["text"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("model")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--samples", type=int, default=0, help="so many, spread evenly over the file; 0: all")
    parser.add_argument("--depths", default="0,7", help="0 is the full model")
    parser.add_argument("--boundary", default="text")
    arguments = parser.parse_args()

    samples = [json.loads(line) for line in arguments.data.read_text().splitlines()]
    if arguments.samples:
        samples = [samples[i * len(samples) // arguments.samples] for i in range(arguments.samples)]
    depths = [int(depth) for depth in arguments.depths.split(",")]
    right = {depth: collections.Counter() for depth in depths}
    asked = collections.Counter(sample["task"] for sample in samples)
    for sample in samples:
        for depth in depths:
            text = answer(arguments, sample, arguments.data.parent, depth)
            right[depth][sample["task"]] += text.strip().casefold() == sample["answer"].strip().casefold()
    rows = {task: dict(n=n, **{f"depth_{d}": round(right[d][task] / n, 3) for d in depths})
            for task, n in sorted(asked.items())}
    overall = {f"depth_{d}": round(sum(right[d].values()) / len(samples), 3) for d in depths}
    print(json.dumps(dict(samples=len(samples), boundary=arguments.boundary, overall=overall, tasks=rows), indent=1))


if __name__ == "__main__":
    main()
