"""What the generator and the proof must know of a family of models."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import torch
from torch import nn

from common.conversations import Case
from common.decoder_walk import DecoderParts
from common.prompts import Prompt


class Checkpoint(Protocol):
    """A tiny checkpoint: its sizes and whatever else the family's own modules need."""

    name: str
    layers: int
    pop_no_suffix: tuple[int, ...]  # a set of pruned layers that is no suffix
    pixel_cases: tuple[str, ...]  # those that store pixel_values
    never_chosen: set[int]  # ids that no greedy run may choose: ends of turn, rows without a token


class PromptBuilder(Protocol):
    def build(self, messages: list[dict]) -> Prompt: ...


Misreading = tuple[str, AbstractContextManager]


@dataclass(frozen=True)
class Family:
    name: str  # the folder in tests/data
    checkpoints: list[Any]  # Checkpoint
    cases: list[Case]
    proving_cases: tuple[str, ...]
    load: Callable[[Path, torch.dtype], nn.Module]
    write_checkpoint: Callable[[Any, Path], None]
    prompt_builder: Callable[[Any, Path, Path, nn.Module], PromptBuilder]  # checkpoint, its folder, pictures, model
    decoder_layers: Callable[[nn.Module], nn.ModuleList]
    branches: Callable[[nn.Module], list[nn.Module]]  # of a layer: the modules whose output is added to the stream
    decoder_parts: Callable[[nn.Module, Prompt], DecoderParts]
    misreadings: Callable[[Any, nn.Module, int], Iterator[Misreading]]  # checkpoint, model, number of pictures
    float64_modules: tuple[ModuleType, ...]  # whose code names float32
    is_vision: Callable[[str], bool] = lambda name: False  # of a tensor's name
    vision_stages: Callable[[nn.Module, Prompt], dict[str, torch.Tensor]] | None = None
    # Of a named tensor: its parts (name, values) and the number that takes their effect away; nothing where it has none.
    neutral_parts: Callable[[str, torch.Tensor], list[tuple[str, torch.Tensor, float]]] | None = None
