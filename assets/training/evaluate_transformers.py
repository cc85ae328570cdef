"""Accuracy of an exported folder in transformers on a JSONL file, and agreement with our own pass.

    python evaluate_transformers.py MODEL_DIR DATA_JSONL [--samples 200] [--dtype float32]

Answers are decoded greedily by `Qwen3VLForConditionalGeneration.generate`; `--own CHECKPOINT` also
decodes each with the training's forward pass and counts equal answers.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy
import torch
from PIL import Image
from tokenizers import Tokenizer
from transformers import AutoTokenizer, Qwen2VLImageProcessor, Qwen3VLForConditionalGeneration

from architecture import Architecture
from checkpoint import load_checkpoint
from generate import Answerer
from parameters import Parameters
from scoring import exact


def load_own(checkpoint: str, tokenizer_json: Path) -> Answerer:
    parameters = Parameters(Architecture())
    load_checkpoint(checkpoint, parameters)
    rounded = parameters.flat.to(torch.bfloat16).float()
    return Answerer(
        parameters.architecture,
        parameters.views(rounded),
        Tokenizer.from_file(str(tokenizer_json)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32")
    parser.add_argument("--own", help="checkpoint to compare with")
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = Qwen3VLForConditionalGeneration.from_pretrained(
        options.model, dtype=getattr(torch, options.dtype)
    )
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    processor = Qwen2VLImageProcessor.from_pretrained(options.model)
    own = load_own(options.own, options.model / "tokenizer.json") if options.own else None
    lines = [json.loads(line) for line in options.data.read_text().splitlines()]
    lines = lines[:: max(1, len(lines) // options.samples)][: options.samples]
    right, asked, equal, compared = defaultdict(int), defaultdict(int), 0, 0
    for number, line in enumerate(lines, start=1):
        if number % 50 == 0:
            print(f"{number} of {len(lines)}: {sum(right.values())} right", file=sys.stderr)
        content = [{"type": "text", "text": line["prompt"]}]
        inputs = {}
        if "image" in line:
            content.insert(0, {"type": "image"})
            image = Image.open(options.data.parent / line["image"]).convert("RGB")
            inputs = dict(processor(images=[image], return_tensors="pt"))
        text = tokenizer.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True, tokenize=False
        )
        if inputs:
            soft = int(inputs["image_grid_thw"].prod()) // 4
            text = text.replace("<|image_pad|>", "<|image_pad|>" * soft)
        ids = tokenizer(text, return_tensors="pt").input_ids
        if inputs:
            inputs["mm_token_type_ids"] = (ids == model.config.image_token_id).int()
        output = model.generate(input_ids=ids, max_new_tokens=260, do_sample=False, **inputs)
        answer = tokenizer.decode(output[0, ids.shape[1] :], skip_special_tokens=True)
        asked[line["task"]] += 1
        right[line["task"]] += exact(answer, line["answer"])
        if own and inputs:
            compared += 1
            equal += own.answer(own.see(numpy.asarray(image)), [line["prompt"]])[0] == answer
    for task in sorted(asked):
        print(f"{task:14} {right[task]:4} of {asked[task]:4} exact")
    if own:
        print(f"answers equal to the training's forward pass: {equal} of {compared}")


if __name__ == "__main__":
    main()
