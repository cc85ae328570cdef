"""From messages to what Gemma-3 is fed: ids, positions, pixels."""

from pathlib import Path

import torch
from PIL import Image
from transformers import AutoProcessor, AutoTokenizer

from common.prompts import IdsBuilder, Prompt, picture_names, with_open_images

from .checkpoints import SPECIAL_TOKENS, Checkpoint


class PromptBuilder:
    def __init__(self, c: Checkpoint, folder: Path, pictures: Path, model):
        self.c = c
        load = AutoTokenizer if c.vision is None else AutoProcessor
        self.processor = load.from_pretrained(folder)
        self.ids_builder = IdsBuilder(folder / "tokenizer.json", SPECIAL_TOKENS)
        self.pictures = pictures

    def build(self, messages: list[dict]) -> Prompt:
        ids = torch.tensor([self.ids_builder.ids(messages, self._render)])
        image_mask = ids == self.c.token_id("<image_soft_token>")
        prompt = Prompt(ids, image_mask, torch.arange(ids.shape[1]).expand(3, 1, -1))
        if names := picture_names(messages):
            images = [Image.open(self.pictures / name).convert("RGB") for name in names]
            prompt.pixel_values = self.processor.image_processor(images, return_tensors="pt")["pixel_values"]
            side = self.c.vision["image_size"] // self.c.vision["patch_size"]
            prompt.grids = torch.tensor([[1, side, side]] * len(names))
            prompt.extra_inputs = dict(token_type_ids=image_mask.long())
        if not self.ids_builder.somebody_types_one(messages):
            self._check_against_processor(messages, prompt)
        return prompt

    def _render(self, messages: list[dict]) -> str:
        """The template's text with the pictures' tokens and the newlines around them, which are part of the text."""
        text = self.processor.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        soft = "<image_soft_token>" * self.c.mm_tokens_per_image
        return text.replace("<start_of_image>", f"\n\n<start_of_image>{soft}<end_of_image>\n\n")

    def _check_against_processor(self, messages: list[dict], prompt: Prompt) -> None:
        """Where nobody typed a special token, the processor itself must give the same ids and pixels."""
        features = self.processor.apply_chat_template(
            messages if self.c.vision is None else with_open_images(messages, self.pictures), tokenize=True,
            add_generation_prompt=True, return_dict=True, return_tensors="pt",
        )  # fmt: skip
        if not torch.equal(features["input_ids"], prompt.ids):
            raise ValueError("the processor's ids are others")
        if prompt.pixel_values is not None and not torch.equal(features["pixel_values"], prompt.pixel_values):
            raise ValueError("the processor's pixels are others")
