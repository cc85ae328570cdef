"""All weights in one flat tensor that the training processes share.

Matrices of one shape lie side by side, so that the optimiser sees each group as one stack
`[count, rows, columns]` without copying. Everything that AdamW trains comes first.
"""

import math

import torch

from architecture import Architecture, decoder_shapes, vision_shapes
from patch_labels import HEADS

READOUT = "readout."


def readout_shapes(a: Architecture) -> dict[str, tuple[int, ...]]:
    """Throw-away heads that read patch labels off the soft tokens (training only)."""
    outputs = 4 * sum(HEADS.values())
    shapes = {}
    for source in range(1 + len(a.deepstack_layers)):
        shapes[f"{READOUT}{source}.weight"] = (outputs, a.hidden)
        shapes[f"{READOUT}{source}.bias"] = (outputs,)
    return shapes


def _by_muon(name: str, shape: tuple[int, ...]) -> bool:
    """Muon trains the matrices inside the blocks; the wide merger fc1 would cost it too much."""
    if len(shape) != 2 or "embed" in name or name.startswith(READOUT):
        return False
    return not (("merger" in name) and "linear_fc1" in name)


class Parameters:
    """Named views into one flat shared tensor, with the groups for the optimiser."""

    def __init__(self, architecture: Architecture):
        shapes = vision_shapes(architecture) | decoder_shapes(architecture)
        shapes |= readout_shapes(architecture)
        self.architecture = architecture
        adam = [name for name, shape in shapes.items() if not _by_muon(name, shape)]
        muon: dict[tuple, list[str]] = {}
        for name, shape in shapes.items():
            if _by_muon(name, shape):
                # Queries, keys and values are three maps in one matrix: one update each.
                parts = 3 if name.endswith("qkv.weight") else 1
                stage = "visual" in name
                key = (stage, shape[0] // parts, shape[1])
                muon.setdefault(key, []).append(name)
        self.shapes = shapes
        self.offsets: dict[str, int] = {}
        size = 0
        for name in sorted(adam, key=lambda name: ("language" in name, name)):
            self.offsets[name] = size
            size += math.prod(shapes[name])
        self.adam_size = size
        self.adam_vision_size = min(
            (offset for name, offset in self.offsets.items() if "language" in name), default=size
        )
        # (belongs to the vision tower, first element, count, rows, columns)
        self.muon_groups: list[tuple[bool, int, int, int, int]] = []
        for (stage, rows, columns), names in muon.items():
            begin = size
            for name in names:
                self.offsets[name] = size
                size += math.prod(shapes[name])
            count = (size - begin) // (rows * columns)
            self.muon_groups.append((stage, begin, count, rows, columns))
        self.size = size
        self.flat = torch.zeros(size).share_memory_()

    def views(self, flat: torch.Tensor) -> dict[str, torch.Tensor]:
        """The named tensors inside a flat tensor of the same layout."""
        return {
            name: flat[offset : offset + math.prod(self.shapes[name])].view(self.shapes[name])
            for name, offset in self.offsets.items()
        }

    def initialise(self, seed: int) -> None:
        """Random start. Output projections start small, not at zero, so that late layers matter."""
        generator = torch.Generator().manual_seed(seed)
        for name, tensor in self.views(self.flat).items():
            if name.endswith(("norm.weight", "norm1.weight", "norm2.weight", "layernorm.weight")):
                tensor.fill_(1.0)
            elif tensor.dim() == 1:
                tensor.zero_()
            elif "embed_tokens" in name:
                tensor.normal_(0, 0.05, generator=generator)
            elif "pos_embed" in name or name.startswith(READOUT):
                tensor.normal_(0, 0.02, generator=generator)
            else:
                fan_in = math.prod(tensor.shape[1:])
                small = name.endswith(("o_proj.weight", "down_proj.weight", "attn.proj.weight"))
                small = small or ("blocks." in name and name.endswith("linear_fc2.weight"))
                gain = 0.2 if small else 0.8
                tensor.normal_(0, gain / math.sqrt(fan_in), generator=generator)
        self._look_at_neighbours()

    def _look_at_neighbours(self) -> None:
        """Query and key biases that make each vision head look at one fixed neighbour.

        A constant query and a constant key, rotated by the 2-D rotary embedding, score
        s^2 cos(w (distance - offset)): a convolution tap to start from.
        """
        a = self.architecture
        half, quarter = a.vision_head_dim // 2, a.vision_head_dim // 4
        taps = [(0, -1), (0, 1), (-1, 0), (1, 0), (0, 0)]
        views = self.views(self.flat)
        strength = 2.6
        for layer in range(a.vision_layers):
            bias = views[f"model.visual.blocks.{layer}.attn.qkv.bias"].view(3, a.vision_heads, -1)
            for head in range(a.vision_heads):
                for axis, offset in enumerate(taps[head % len(taps)]):
                    for index in range(2):
                        frequency = 10000.0 ** (-2 * index / half)
                        pair = axis * quarter + index
                        bias[0, head, pair] = strength
                        bias[1, head, pair] = strength * math.cos(frequency * offset)
                        bias[1, head, pair + half] = -strength * math.sin(frequency * offset)
