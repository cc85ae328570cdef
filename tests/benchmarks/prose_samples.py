"""Cuts plain text into prompts and what follows them: a --data file for base models that continue text.

    python prose_samples.py --samples 16 /usr/share/common-licenses/* > prose.jsonl

Every sample is a stretch of running prose from its own place in the files: `--prompt-characters` to read and
`--answer-characters` to expect, both ending between words.
"""

import argparse
import json
import re
import sys
from pathlib import Path


def prose_of(path):
    """The file's paragraphs in one line each, without titles and lists."""
    paragraphs = re.split(r"\n\s*\n", path.read_text(errors="replace"))
    joined = [" ".join(paragraph.split()) for paragraph in paragraphs]
    return " ".join(paragraph for paragraph in joined if len(paragraph) > 200 and paragraph[-1] in ".;:")


def cut_between_words(text, start, length):
    """Where a stretch from `start` of about `length` characters ends."""
    end = text.find(" ", start + length)
    return len(text) if end < 0 else end


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--prompt-characters", type=int, default=900)
    parser.add_argument("--answer-characters", type=int, default=150)
    options = parser.parse_args()
    wanted = options.prompt_characters + options.answer_characters + 200
    texts = [prose_of(path) for path in sorted({path.resolve() for path in options.files}) if path.is_file()]
    texts = [text for text in texts if len(text) > wanted]
    if not texts:
        raise SystemExit("no file has enough prose for one sample")
    for number in range(options.samples):
        text = texts[number % len(texts)]
        rounds = (options.samples + len(texts) - 1) // len(texts)
        start = text.find(" ", (len(text) - wanted) * (number // len(texts)) // rounds) + 1
        middle = cut_between_words(text, start, options.prompt_characters)
        end = cut_between_words(text, middle + 1, options.answer_characters)
        json.dump({"prompt": text[start:middle], "answer": text[middle:end], "task": "prose"}, sys.stdout)
        print()


if __name__ == "__main__":
    main()
