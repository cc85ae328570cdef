"""From messages to what the model is fed: ids, positions, pixels."""

import re
from dataclasses import dataclass
from pathlib import Path

import torch
from PIL import Image
from transformers import AutoProcessor

from .checkpoints import SPECIAL_TOKENS

_SPECIAL = re.compile("(" + "|".join(re.escape(token) for token in SPECIAL_TOKENS) + ")")


@dataclass
class Prompt:
    """ids [1, N], positions [3, 1, N], pixel_values [patches, values] and grids [pictures, 3] or None without a picture."""

    ids: torch.Tensor
    image_mask: torch.Tensor
    positions: torch.Tensor
    delta: int
    pixel_values: torch.Tensor | None
    grids: torch.Tensor | None

    def model_inputs(self) -> dict:
        inputs = dict(input_ids=self.ids, attention_mask=torch.ones_like(self.ids))
        if self.grids is not None:
            inputs.update(pixel_values=self.pixel_values, image_grid_thw=self.grids, mm_token_type_ids=self.image_mask.int())
        return inputs


class PromptBuilder:
    def __init__(self, folder: Path, pictures: Path, model):
        self.processor = AutoProcessor.from_pretrained(folder)
        self.pictures = pictures
        self.model = model

    def build(self, messages: list[dict]) -> Prompt:
        names = [part["image"] for message in messages for part in _parts(message) if part["type"] == "image"]
        pixel_values = grids = None
        if names:
            images = [Image.open(self.pictures / name) for name in names]
            features = self.processor.image_processor(images, return_tensors="pt")
            pixel_values, grids = features["pixel_values"], features["image_grid_thw"]
        ids = torch.tensor([self._ids(messages, grids)])
        image_mask = ids == self.processor.image_token_id
        positions, delta = self.model.model.get_rope_index(ids, image_mask.int(), image_grid_thw=grids)
        prompt = Prompt(ids, image_mask, positions, int(delta), pixel_values, grids)
        self._check_against_processor(messages, names, prompt)
        return prompt

    def _ids(self, messages: list[dict], grids: torch.Tensor | None) -> list[int]:
        """Special tokens are those of the template alone; what a person typed is text, whatever it spells."""
        typed: list[str] = []
        rendered = self.processor.tokenizer.apply_chat_template(
            [_with_markers(message, typed) for message in messages], tokenize=False, add_generation_prompt=True
        )
        backend = self.processor.tokenizer.backend_tokenizer
        counts = iter([] if grids is None else (grids.prod(-1) // self.processor.image_processor.merge_size**2).tolist())
        ids: list[int] = []
        for stretch in _SPECIAL.split(rendered):
            if stretch == self.processor.image_token:
                ids += [self.processor.image_token_id] * next(counts)
            elif _SPECIAL.fullmatch(stretch):
                ids.append(backend.token_to_id(stretch))
            else:
                text = re.sub("\ue000(\\d+)\ue001", lambda match: typed[int(match.group(1))], stretch)
                backend.encode_special_tokens = True
                ids += backend.encode(text, add_special_tokens=False).ids
                backend.encode_special_tokens = False
        return ids

    def _check_against_processor(self, messages: list[dict], names: list[str], prompt: Prompt) -> None:
        """Where nobody typed a special token, the processor itself must give the same ids and pixels."""
        if any(_SPECIAL.search(part.get("text", "")) for message in messages for part in _parts(message)):
            return
        with_images = [_with_open_images(message, self.pictures) for message in messages]
        features = self.processor.apply_chat_template(
            with_images, tokenize=True, add_generation_prompt=True, return_dict=True, return_tensors="pt"
        )
        if not torch.equal(features["input_ids"], prompt.ids):
            raise ValueError("the processor's ids are others")
        if names and not torch.equal(features["pixel_values"], prompt.pixel_values):
            raise ValueError("the processor's pixels are others")


def _parts(message: dict) -> list[dict]:
    content = message["content"]
    return [dict(type="text", text=content)] if isinstance(content, str) else content


def _with_markers(message: dict, typed: list[str]) -> dict:
    """Each text is replaced by its number between two private characters, so that it can be told from the template."""

    def marked(text: str) -> str:
        typed.append(text)
        return f"\ue000{len(typed) - 1}\ue001"

    content = message["content"]
    if isinstance(content, str):
        return dict(message, content=marked(content))
    return dict(message, content=[dict(p, text=marked(p["text"])) if p["type"] == "text" else p for p in content])


def _with_open_images(message: dict, pictures: Path) -> dict:
    parts = _parts(message)
    return dict(
        message, content=[dict(p, image=Image.open(pictures / p["image"])) if p["type"] == "image" else p for p in parts]
    )
