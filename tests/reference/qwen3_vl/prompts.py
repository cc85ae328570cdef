"""From messages to what Qwen3-VL is fed: ids, positions, pixels."""

from pathlib import Path

import torch
from PIL import Image
from transformers import AutoProcessor

from common.prompts import IdsBuilder, Prompt, picture_names, with_open_images

from .checkpoints import SPECIAL_TOKENS, Checkpoint


class PromptBuilder:
    def __init__(self, c: Checkpoint, folder: Path, pictures: Path, model):
        self.processor = AutoProcessor.from_pretrained(folder)
        self.ids_builder = IdsBuilder(folder / "tokenizer.json", SPECIAL_TOKENS)
        self.pictures = pictures
        self.model = model

    def build(self, messages: list[dict]) -> Prompt:
        pixel_values = grids = None
        if names := picture_names(messages):
            images = [Image.open(self.pictures / name) for name in names]
            features = self.processor.image_processor(images, return_tensors="pt")
            pixel_values, grids = features["pixel_values"], features["image_grid_thw"]
        ids = torch.tensor([self._ids(messages, grids)])
        image_mask = ids == self.processor.image_token_id
        positions, delta = self.model.model.get_rope_index(ids, image_mask.int(), image_grid_thw=grids)
        prompt = Prompt(ids, image_mask, positions, int(delta), pixel_values, grids)
        if grids is not None:
            prompt.extra_inputs = dict(image_grid_thw=grids, mm_token_type_ids=image_mask.int())
        if not self.ids_builder.somebody_types_one(messages):
            self._check_against_processor(messages, prompt)
        return prompt

    def _ids(self, messages: list[dict], grids: torch.Tensor | None) -> list[int]:
        merged = self.processor.image_processor.merge_size**2
        counts = iter([] if grids is None else (grids.prod(-1) // merged).tolist())

        def render(broken: list[dict]) -> str:
            rendered = self.processor.tokenizer.apply_chat_template(broken, tokenize=False, add_generation_prompt=True)
            before, *rest = rendered.split(self.processor.image_token)
            return before + "".join(self.processor.image_token * next(counts) + text for text in rest)

        return self.ids_builder.ids(messages, render)

    def _check_against_processor(self, messages: list[dict], prompt: Prompt) -> None:
        """Where nobody typed a special token, the processor itself must give the same ids and pixels."""
        features = self.processor.apply_chat_template(
            with_open_images(messages, self.pictures), tokenize=True, add_generation_prompt=True, return_dict=True,
            return_tensors="pt",
        )  # fmt: skip
        if not torch.equal(features["input_ids"], prompt.ids):
            raise ValueError("the processor's ids are others")
        if prompt.grids is not None and not torch.equal(features["pixel_values"], prompt.pixel_values):
            raise ValueError("the processor's pixels are others")
