"""Several questions packed behind one picture.

    <|im_start|>user\n<|vision_start|> picture <|vision_end|>  question answer | question answer | …

Each question sees the picture and itself, and its positions go on where the picture's end: it is
exactly the sequence that the chat template gives for the picture and that question alone. A
question about the model itself sees only `<|im_start|>user\n`.
"""

from dataclasses import dataclass

import numpy
from tokenizers import Tokenizer

IGNORED = -100


@dataclass
class Packed:
    """One row: ids, positions `[3, tokens]`, which branch each token is in, targets."""

    ids: numpy.ndarray
    positions: numpy.ndarray
    branch: numpy.ndarray
    targets: numpy.ndarray
    tasks: list[str]


class Packer:
    """Turns questions into rows of a fixed length for one picture size."""

    def __init__(self, tokenizer: Tokenizer):
        def ids(text: str) -> list[int]:
            return tokenizer.encode(text, add_special_tokens=False).ids

        self.encode = ids
        self.user = ids("<|im_start|>user\n")
        self.vision_start = ids("<|vision_start|>")
        self.vision_end = ids("<|vision_end|>")
        self.image = ids("<|image_pad|>")[0]
        self.answer_start = ids("<|im_end|>\n<|im_start|>assistant\n")
        self.end = ids("<|im_end|>")
        self.pad = ids("<|endoftext|>")[0]

    @property
    def image_at(self) -> int:
        return len(self.user) + 1

    def branch(self, prompt: str, answer: str) -> tuple[list[int], int]:
        """Ids of one question with its answer, and where the answer starts."""
        question = self.encode(prompt) + self.answer_start
        return question + self.encode(answer) + self.end, len(question)

    def pack(self, rows: int, columns: int, branches, tokens: int) -> Packed:
        """`branches`: (ids, answer start, task, sees the picture) that fit; `rows` x `columns` soft tokens.

        Branch 0 is `<|im_start|>user\\n`, 1 the picture, questions count from 2 (negative: blind).
        """
        soft = rows * columns
        prefix = self.user + self.vision_start + [self.image] * soft + self.vision_end
        ids = numpy.full(tokens, self.pad, dtype=numpy.int64)
        positions = numpy.zeros((3, tokens), dtype=numpy.int64)
        branch = numpy.zeros(tokens, dtype=numpy.int64)
        targets = numpy.full(tokens, IGNORED, dtype=numpy.int64)
        ids[: len(prefix)] = prefix
        positions[:, : self.image_at] = numpy.arange(self.image_at)
        grid = numpy.indices((rows, columns)).reshape(2, soft) + self.image_at
        positions[0, self.image_at : self.image_at + soft] = self.image_at
        positions[1:, self.image_at : self.image_at + soft] = grid
        after_image = self.image_at + max(rows, columns)
        positions[:, len(prefix) - 1] = after_image
        branch[len(self.user) : len(prefix)] = 1
        at, tasks = len(prefix), []
        for number, (sequence, answer_at, task, sees) in enumerate(branches, start=2):
            end = at + len(sequence)
            first = after_image + 1 if sees else len(self.user)
            ids[at:end] = sequence
            positions[:, at:end] = first + numpy.arange(len(sequence))
            branch[at:end] = number if sees else -number
            targets[at + answer_at - 1 : end - 1] = sequence[answer_at:]
            tasks.append(task)
            at = end
        branch[at:] = 1_000_000
        return Packed(ids, positions, branch, targets, tasks)


def visible(branch: numpy.ndarray) -> numpy.ndarray:
    """Which token sees which: `[batch, tokens, tokens]` from branches `[batch, tokens]`."""
    query, key = branch[:, :, None], branch[:, None, :]
    causal = numpy.tril(numpy.ones((branch.shape[1],) * 2, dtype=bool))
    same = query == key
    return causal & (same | (key == 0) | ((key == 1) & (query > 0)))
