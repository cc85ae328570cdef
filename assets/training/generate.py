"""Greedy answers with the training's own forward pass (no cache: simple, and an independent check)."""

import torch
from tokenizers import Tokenizer

from architecture import Architecture
from decoder import answer_logits, decoder_forward, decoder_layer
from packing import Packer
from vision_tower import patches_of, vision_block, vision_forward


class Answerer:
    """Answers questions about pictures with one set of weights."""

    def __init__(self, architecture: Architecture, weights: dict, tokenizer: Tokenizer):
        self.architecture, self.weights, self.tokenizer = architecture, weights, tokenizer
        self.packer = Packer(tokenizer)

    @torch.no_grad()
    def see(self, picture) -> tuple[int, int, list[torch.Tensor]]:
        """Soft rows and columns and the features of one uint8 picture `[height, width, 3]`."""
        a = self.architecture
        rows, columns = picture.shape[0] // a.patch_px, picture.shape[1] // a.patch_px
        patches = patches_of([picture], a.patch_px)
        features = vision_forward(a, self.weights, patches, rows, columns, vision_block)
        return rows // 2, columns // 2, features

    @torch.no_grad()
    def answer(self, seen, prompts: list[str], longest: int = 260) -> list[str]:
        """Greedy answers to several questions about one picture, decoded side by side."""
        rows, columns, features = seen
        soft = rows * columns
        questions = [self.packer.encode(prompt) + self.packer.answer_start for prompt in prompts]
        answers: list[list[int]] = [[] for _ in prompts]
        running = list(range(len(prompts)))
        while running:
            sequences = [questions[index] + answers[index] for index in running]
            tokens = self.packer.image_at + soft + 1 + max(map(len, sequences))
            packed = [
                self.packer.pack(rows, columns, [(sequence, len(sequence), "", True)], tokens)
                for sequence in sequences
            ]
            ids = torch.stack([torch.from_numpy(row.ids) for row in packed])
            positions = torch.stack([torch.from_numpy(row.positions) for row in packed], dim=1)
            mask = torch.full((tokens, tokens), -1e4).triu(1)[None].expand(len(packed), -1, -1)
            hidden = decoder_forward(
                self.architecture,
                self.weights,
                ids,
                positions,
                mask,
                self.packer.image_at,
                [feature.expand(len(packed), -1, -1) for feature in features],
                decoder_layer,
            )
            lasts = [self.packer.image_at + soft + len(sequence) for sequence in sequences]
            logits = answer_logits(self.weights, hidden[torch.arange(len(packed)), lasts])
            still = []
            for index, token in zip(running, logits.argmax(-1).tolist()):
                if token == self.packer.end[0] or len(answers[index]) >= longest:
                    continue
                answers[index].append(token)
                still.append(index)
            running = still
        return [self.tokenizer.decode(answer) for answer in answers]
