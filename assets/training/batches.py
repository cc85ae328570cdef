"""Micro-batches: pictures of one size with their labels, each drawn from its own seed."""

import argparse
import random
from dataclasses import dataclass

import numpy
import torch
from tokenizers import Tokenizer

from dense import dense_picture
from fonts import TRAINING_FONTS
from mixes import MIXES, Mix, draw_picture, pick_questions
from packing import Packer, visible
from readout import stack_labels
from vision_tower import patches_of

PATCH_PX = 16
DENSE_SIDE_PX = 128
DENSE_PICTURES = 12


@dataclass
class VisionBatch:
    """Patches `[batch, patches, 768]` and labels `[batch, patches]` per readout head."""

    rows: int
    columns: int
    patches: torch.Tensor
    labels: dict[str, torch.Tensor]


@dataclass
class QuestionBatch:
    """A vision batch with packed questions: tensors `[batch, tokens]`, positions `[3, batch, tokens]`."""

    vision: VisionBatch
    image_at: int
    ids: torch.Tensor
    positions: torch.Tensor
    mask: torch.Tensor
    targets: torch.Tensor
    branch: torch.Tensor
    tasks: list[list[str]]


def dense_batch(rng: random.Random) -> VisionBatch:
    drawn = [dense_picture(DENSE_SIDE_PX, TRAINING_FONTS, rng) for _ in range(DENSE_PICTURES)]
    pictures = [numpy.asarray(image) for image, _ in drawn]
    side = DENSE_SIDE_PX // PATCH_PX
    return VisionBatch(
        side, side, patches_of(pictures, PATCH_PX), stack_labels([labels for _, labels in drawn])
    )


def fill_branches(packer: Packer, questions, room: int):
    """As many questions as fit into `room` tokens, in their order."""
    branches = []
    for question in questions:
        sequence, answer_at = packer.branch(question.prompt, question.answer)
        if len(sequence) <= room:
            sees = question.task != "self" or len(question.prompt) % 2 == 0
            branches.append((sequence, answer_at, question.task, sees))
            room -= len(sequence)
        if room < 9:
            break
    return branches


def question_batch(mix: Mix, packer: Packer, rng: random.Random) -> QuestionBatch:
    width, height, count = rng.choice(mix.sizes)
    soft_rows, soft_columns = height // (2 * PATCH_PX), width // (2 * PATCH_PX)
    tokens = packer.image_at + soft_rows * soft_columns + 1 + mix.question_tokens
    pictures, labels, rows = [], [], []
    for _ in range(count):
        picture = draw_picture(width, height, mix, TRAINING_FONTS, rng)
        branches = fill_branches(packer, pick_questions(picture, mix, rng), mix.question_tokens)
        pictures.append(numpy.asarray(picture.image))
        labels.append(picture.labels)
        rows.append(packer.pack(soft_rows, soft_columns, branches, tokens))
    branch = numpy.stack([row.branch for row in rows])
    mask = numpy.where(visible(branch), numpy.float32(0), numpy.float32(-1e4))
    vision = VisionBatch(
        2 * soft_rows, 2 * soft_columns, patches_of(pictures, PATCH_PX), stack_labels(labels)
    )
    return QuestionBatch(
        vision,
        packer.image_at,
        torch.from_numpy(numpy.stack([row.ids for row in rows])),
        torch.from_numpy(numpy.stack([row.positions for row in rows], axis=1)),
        torch.from_numpy(mask),
        torch.from_numpy(numpy.stack([row.targets for row in rows])),
        torch.from_numpy(branch).abs(),
        [row.tasks for row in rows],
    )


class MicroBatches:
    """Draws micro-batch `index` of a step; the same numbers give the same pictures."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        if options.stage == "questions":
            self.packer = Packer(Tokenizer.from_file(options.tokenizer))

    def make(self, step: int, index: int, mix: str):
        rng = random.Random(f"{self.options.seed}/{self.options.stage}/{step}/{index}")
        # In the questions stage the first few keep the eyes sharp.
        if self.options.stage == "vision" or index < self.options.dense_batches:
            return dense_batch(rng)
        return question_batch(MIXES[mix], self.packer, rng)
