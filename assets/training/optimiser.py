"""Muon for the matrices inside the blocks, AdamW for everything else, both on flat tensors.

Every training process updates its own share of the weights in the memory that all of them share.
"""

from dataclasses import dataclass

import torch

from parameters import Parameters

# Odd polynomials that together drive the singular values of a matrix towards one
# ("Polar Express", Amsel et al. 2025, arXiv 2505.16932).
POLAR_STEPS = [
    (8.156554524902461, -22.48329292557795, 15.878769915207462),
    (4.042929935166739, -2.808917465908714, 0.5000178451051316),
    (3.8916678022926607, -2.772484153217685, 0.5060648178503393),
    (3.285753657755655, -2.3681294933425376, 0.46449024233003106),
    (2.3465413258596377, -1.7097828382687081, 0.42323551169305323),
]


def orthogonalised(g: torch.Tensor) -> torch.Tensor:
    """About U V^T of the singular value decomposition of every matrix in `[count, rows, columns]`."""
    tall = g.shape[1] > g.shape[2]
    x = g.transpose(1, 2) if tall else g
    x = x / (x.norm(dim=(1, 2), keepdim=True) * 1.01 + 1e-7)
    for a, b, c in POLAR_STEPS:
        gram = torch.bmm(x, x.transpose(1, 2))
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.transpose(1, 2) if tall else x


@dataclass
class OptimiserState:
    """Flat tensors in shared memory, laid out like the weights."""

    momentum: torch.Tensor
    second: torch.Tensor

    @staticmethod
    def zeros(parameters: Parameters) -> "OptimiserState":
        return OptimiserState(
            torch.zeros(parameters.size).share_memory_(),
            torch.zeros(parameters.adam_size).share_memory_(),
        )


class Optimiser:
    """The share of one process: `rank` of `ranks`."""

    def __init__(self, parameters: Parameters, state: OptimiserState, rank: int, ranks: int):
        self.parameters, self.state = parameters, state
        self.rank, self.ranks = rank, ranks

    def _adam(self, grads: list[torch.Tensor], lr: float, step: int, vision_only: bool) -> None:
        size = self.parameters.adam_vision_size if vision_only else self.parameters.adam_size
        begin, end = size * self.rank // self.ranks, size * (self.rank + 1) // self.ranks
        gradient = sum(grad[begin:end] for grad in grads)
        mean, square = self.state.momentum[begin:end], self.state.second[begin:end]
        mean.lerp_(gradient, 0.1)
        square.lerp_(gradient * gradient, 0.05)
        # A tensor may have joined late; its own count would be right, the shared one only warms slower.
        correct_mean, correct_square = 1 - 0.9**step, 1 - 0.95**step
        update = (mean / correct_mean) / ((square / correct_square).sqrt() + 1e-8)
        self.parameters.flat[begin:end].sub_(update, alpha=lr)

    def _muon(
        self, grads: list[torch.Tensor], lr: float, decay: float, vision_only: bool
    ) -> None:
        for vision, first, count, rows, columns in self.parameters.muon_groups:
            if vision_only and not vision:
                continue
            low, high = count * self.rank // self.ranks, count * (self.rank + 1) // self.ranks
            if low == high:
                continue
            begin, end = first + low * rows * columns, first + high * rows * columns
            gradient = sum(grad[begin:end] for grad in grads)
            momentum = self.state.momentum[begin:end]
            momentum.lerp_(gradient, 0.05)
            nesterov = torch.lerp(gradient, momentum, 0.95).view(high - low, rows, columns)
            update = orthogonalised(nesterov).reshape(-1)
            weights = self.parameters.flat[begin:end]
            weights.mul_(1 - lr * decay)
            weights.sub_(update, alpha=lr * max(1.0, rows / columns) ** 0.5)

    def step(
        self,
        grads: list[torch.Tensor],
        step: int,
        muon_lr: float,
        adam_lr: float,
        vision_only: bool,
        decay: float = 0.05,
    ) -> None:
        """Adds up the gradients of all processes and updates this process's share."""
        with torch.no_grad():
            self._adam(grads, adam_lr, step, vision_only)
            self._muon(grads, muon_lr, decay, vision_only)
