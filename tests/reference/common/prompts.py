"""From messages to what a model is fed: what the families share."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch
from PIL import Image
from tokenizers import Tokenizer

from common.conversations import parts

_MARK = "\ue000"  # put into every special token that somebody typed, so that only the template's own are whole


@dataclass
class Prompt:
    """ids [1, N], image_mask [1, N], positions [3, 1, N]; pixel_values and grids [pictures, 3] or None without a picture.

    An answer's token at index s has position s + delta. `inputs` is what the model's forward takes.
    """

    ids: torch.Tensor
    image_mask: torch.Tensor
    positions: torch.Tensor
    delta: int = 0
    pixel_values: torch.Tensor | None = None
    grids: torch.Tensor | None = None
    extra_inputs: dict = field(default_factory=dict)

    def model_inputs(self) -> dict:
        inputs = dict(input_ids=self.ids, attention_mask=torch.ones_like(self.ids), **self.extra_inputs)
        if self.pixel_values is not None:
            inputs["pixel_values"] = self.pixel_values
        return inputs


def picture_names(messages: list[dict]) -> list[str]:
    return [part["image"] for message in messages for part in parts(message) if part["type"] == "image"]


def with_open_images(messages: list[dict], pictures: Path) -> list[dict]:
    def opened(part: dict) -> dict:
        return dict(part, image=Image.open(pictures / part["image"])) if part["type"] == "image" else part

    return [dict(message, content=[opened(part) for part in parts(message)]) for message in messages]


class IdsBuilder:
    """Special tokens are those of the template alone; what a person typed is text, whatever it spells."""

    def __init__(self, tokenizer_file: Path, special_tokens: list[str]):
        self.tokenizer = Tokenizer.from_file(str(tokenizer_file))
        self.special_tokens = special_tokens
        self.pattern = re.compile("(" + "|".join(re.escape(token) for token in special_tokens) + ")")

    def ids(self, messages: list[dict], render: Callable[[list[dict]], str]) -> list[int]:
        """render: from messages to the prompt's text, every picture's tokens in place."""
        ids: list[int] = []
        for stretch in self.pattern.split(render([self._broken(message) for message in messages])):
            if self.pattern.fullmatch(stretch):
                ids.append(self.tokenizer.token_to_id(stretch))
            else:
                self.tokenizer.encode_special_tokens = True
                ids += self.tokenizer.encode(stretch.replace(_MARK, ""), add_special_tokens=False).ids
        return ids

    def somebody_types_one(self, messages: list[dict]) -> bool:
        return any(self.pattern.search(part.get("text", "")) for message in messages for part in parts(message))

    def _broken(self, message: dict) -> dict:
        def broken(content: str) -> str:
            return self.pattern.sub(lambda match: match.group()[0] + _MARK + match.group()[1:], content)

        content = message["content"]
        if isinstance(content, str):
            return dict(message, content=broken(content))
        return dict(message, content=[dict(p, text=broken(p["text"])) if p["type"] == "text" else p for p in content])
