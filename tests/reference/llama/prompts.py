"""From messages to what Llama is fed."""

from pathlib import Path

import torch
from transformers import AutoTokenizer

from common.prompts import IdsBuilder, Prompt

from .checkpoints import SPECIAL_TOKENS, Checkpoint


class PromptBuilder:
    def __init__(self, c: Checkpoint, folder: Path, pictures: Path, model):
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.ids_builder = IdsBuilder(folder / "tokenizer.json", SPECIAL_TOKENS)

    def build(self, messages: list[dict]) -> Prompt:
        ids = torch.tensor([self.ids_builder.ids(messages, self._render)])
        if not self.ids_builder.somebody_types_one(messages):
            self._check_against_tokenizer(messages, ids)
        return Prompt(ids, torch.zeros_like(ids, dtype=torch.bool), torch.arange(ids.shape[1]).expand(3, 1, -1))

    def _render(self, messages: list[dict]) -> str:
        return self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)

    def _check_against_tokenizer(self, messages: list[dict], ids: torch.Tensor) -> None:
        """Where nobody typed a special token, transformers' tokenizer itself must give the same ids."""
        theirs = self.tokenizer.apply_chat_template(
            messages, tokenize=True, add_generation_prompt=True, return_dict=True, return_tensors="pt"
        )
        if not torch.equal(theirs["input_ids"], ids):
            raise ValueError("the tokenizer's ids are others")
