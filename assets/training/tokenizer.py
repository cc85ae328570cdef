"""Trains the byte-level BPE tokenizer on the wordings and answers.

    python tokenizer.py OUT_DIR

It is read exactly like Qwen3's: NFC, Qwen2's split expression, byte-level BPE, the same special
tokens. Capitals and digits stay single tokens, so that words are spelled and numbers are read
digit by digit.
"""

import random
import re
import sys
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
from tokenizers import trainers

from architecture import Architecture
from charts import draw_chart, draw_table
from fonts import TRAINING_FONTS
from questions import question_about_itself, questions_about
from scene import draw_scene
from self_questions import SELF

SPECIAL = [
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>",
    "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>",
]  # fmt: skip
QWEN2_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def corpus() -> list[str]:
    """Texts with every run of capitals taken out, so that no merge joins capitals."""
    rng = random.Random(7)
    texts = ["user\n", "assistant\n", "system\n"] * 500
    for _ in range(500):
        pictures = [
            draw_scene(224, 224, TRAINING_FONTS, rng, rng.randint(1, 5), rng.randint(0, 2), 1),
            draw_chart(224, 224, TRAINING_FONTS, rng),
            draw_table(224, 224, TRAINING_FONTS, rng),
        ]
        for picture in pictures:
            for question in questions_about(picture, rng):
                texts += [question.prompt, question.answer]
        question = question_about_itself(rng)
        texts += [question.prompt, question.answer]
    texts += [text for answer, prompts in SELF for text in [answer, *prompts]] * 30
    # A capital stays only where it starts a text and small letters follow.
    return [re.sub(r"(?<!^)[A-Z]+[a-z]*|^[A-Z](?![a-z])[A-Z]*", "", text) for text in texts]


def train_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN2_SPLIT), behavior="isolated", invert=False),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    size = Architecture().vocabulary - len(SPECIAL)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(corpus(), trainer)
    if tokenizer.get_vocab_size() != size:
        raise ValueError(f"the corpus gave only {tokenizer.get_vocab_size()} of {size} tokens")
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in SPECIAL])
    for text in ("ROFU", " ROFU", "44", " 4"):
        pieces = tokenizer.encode(text).tokens
        if len(pieces) != len(text):
            raise ValueError(f"capitals and digits must stay single tokens, {text!r} gave {pieces}")
    return tokenizer


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    train_tokenizer().save(str(folder / "tokenizer.json"))


if __name__ == "__main__":
    main()
