"""Loss and accuracies of one micro-batch, for each stage of the training."""

import torch
import torch.nn.functional as F

from architecture import Architecture
from batches import QuestionBatch, VisionBatch
from decoder import answer_logits, decoder_forward, decoder_layer
from mixes import TASK_WEIGHT
from packing import IGNORED
from patch_labels import HEADS
from readout import readout_loss
from vision_tower import vision_block, vision_forward

# A long answer counts by the power of its length, so that it neither drowns the short ones nor is
# drowned by them.
LENGTH_POWER = 0.75

Score = dict[str, tuple[int, int]]


def answer_loss(
    logits: torch.Tensor, targets: torch.Tensor, owner: torch.Tensor, tasks: list[str]
) -> tuple[torch.Tensor, Score]:
    """Loss `[]` and exact answers per task from the answer tokens alone.

    logits `[n, vocabulary]`, targets `[n]`, `owner[n]`: the index of each token's question in `tasks`.
    """
    losses = F.cross_entropy(logits, targets, reduction="none")
    count = len(tasks)
    lengths = torch.zeros(count).index_add_(0, owner, torch.ones_like(losses))
    summed = torch.zeros(count).index_add_(0, owner, losses)
    weight = lengths.pow(LENGTH_POWER)
    loss = (summed / lengths * weight).sum() / weight.sum()
    wrong = torch.zeros(count).index_add_(0, owner, (logits.argmax(-1) != targets).float())
    scores: Score = {}
    for task, misses in zip(tasks, wrong.tolist()):
        right, asked = scores.get(task, (0, 0))
        scores[task] = (right + (misses == 0), asked + 1)
    return loss, scores


class Forward:
    """The compiled forward pass over one set of weights."""

    def __init__(
        self,
        architecture: Architecture,
        weights: dict,
        stage: str,
        readout_weight: float = 0.0,
        compiled: bool = True,
    ):
        self.architecture, self.weights, self.stage = architecture, weights, stage
        self.readout_weight = readout_weight
        torch._dynamo.config.cache_size_limit = 64
        self.vision_block = torch.compile(vision_block, dynamic=False) if compiled else vision_block
        self.layer = torch.compile(decoder_layer, dynamic=False) if compiled else decoder_layer
        self.score_names = ["patch_" + kind for kind in HEADS]
        if stage == "questions":
            self.score_names += ["dense_" + name for name in self.score_names]
            self.score_names += [*TASK_WEIGHT, "self"]

    def features(self, batch: VisionBatch) -> list[torch.Tensor]:
        return vision_forward(
            self.architecture,
            self.weights,
            batch.patches,
            batch.rows,
            batch.columns,
            self.vision_block,
        )

    def hidden(self, batch: QuestionBatch, features: list[torch.Tensor]) -> torch.Tensor:
        return decoder_forward(
            self.architecture,
            self.weights,
            batch.ids,
            batch.positions,
            batch.mask,
            batch.image_at,
            features,
            self.layer,
        )

    def loss(self, batch: VisionBatch | QuestionBatch) -> tuple[torch.Tensor, Score]:
        if isinstance(batch, VisionBatch):
            loss, scores = readout_loss(self.weights, self.features(batch), batch.labels)
            if self.stage == "vision":
                return loss, scores
            dense = {"dense_" + name: score for name, score in scores.items()}
            return self.readout_weight * loss, dense
        features = self.features(batch.vision)
        seen, scores = readout_loss(self.weights, features, batch.vision.labels)
        hidden = self.hidden(batch, features)
        at = batch.targets != IGNORED
        first = torch.tensor([0] + [len(tasks) for tasks in batch.tasks]).cumsum(0)[:-1]
        owner = (batch.branch - 2 + first[:, None])[at]
        tasks = [task for row in batch.tasks for task in row]
        loss, answered = answer_loss(
            answer_logits(self.weights, hidden[at]), batch.targets[at], owner, tasks
        )
        return loss + self.readout_weight * seen, scores | answered
