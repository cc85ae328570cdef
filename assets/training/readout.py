"""The auxiliary loss: patch labels read off the soft tokens by throw-away linear heads."""

import numpy
import torch
import torch.nn.functional as F

from parameters import READOUT
from patch_labels import HEADS, IGNORED, PatchLabels
from vision_tower import patch_order

# Most patches show nothing of a kind; they count less.
EMPTY_WEIGHT = 0.3
DEEPSTACK_WEIGHT = 0.3


def stack_labels(labels: list[PatchLabels]) -> dict[str, torch.Tensor]:
    """Labels `[batch, patches]` per head, in the order of the patches."""
    row, column = patch_order(labels[0].rows, labels[0].columns)
    return {
        kind: torch.from_numpy(numpy.stack([item.labels[kind] for item in labels]))[:, row, column]
        for kind in HEADS
    }


def readout_loss(
    weights: dict, features: list[torch.Tensor], labels: dict[str, torch.Tensor]
) -> tuple[torch.Tensor, dict[str, tuple[int, int]]]:
    """Loss over all features, and (right, counted) of the main features per kind, empty ones aside."""
    batch, soft, _ = features[0].shape
    total = torch.zeros(())
    score = {}
    for source, feature in enumerate(features):
        outputs = F.linear(
            feature, weights[f"{READOUT}{source}.weight"], weights[f"{READOUT}{source}.bias"]
        ).view(batch * soft * 4, -1)
        begin = 0
        for kind, classes in HEADS.items():
            logits = outputs[:, begin : begin + classes]
            begin += classes
            target = labels[kind].reshape(-1)
            balance = torch.ones(classes)
            balance[0] = EMPTY_WEIGHT
            loss = F.cross_entropy(logits, target, weight=balance, ignore_index=IGNORED)
            total = total + loss * (1.0 if source == 0 else DEEPSTACK_WEIGHT)
            if source == 0:
                shown = target > 0
                right = (logits.argmax(-1) == target) & shown
                score["patch_" + kind] = (int(right.sum()), int(shown.sum()))
    return total, score
