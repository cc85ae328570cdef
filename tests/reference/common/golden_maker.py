"""Makes a family's checkpoints and golden cases."""

import json
from pathlib import Path

import torch
import transformers

from common.case_file import write_case, write_case_list
from common.conversations import Case
from common.decoder_walk import boundary_start, decode_greedy, prefill
from common.family import Checkpoint, Family
from common.float64 import float64_everywhere, in_float64
from common.gated import gated_logits
from common.measures import max_over_rms, nmse
from common.pictures import write_pictures
from common.prompts import Prompt

GREEDY_TOKENS = 32
AGREEMENT = 1e-10  # normalised mean square error between two ways to compute the same in float32


def pop_plans(c: Checkpoint) -> dict[str, list[int]]:
    depths = {1, round(c.layers / 3), c.layers // 2}
    plans = {f"depth_{depth}": list(range(c.layers - depth, c.layers)) for depth in sorted(depths)}
    return plans | {"no_suffix": list(c.pop_no_suffix)}


class GoldenMaker:
    """One checkpoint in float32, bfloat16 and float64, and the cases made with it."""

    def __init__(self, family: Family, c: Checkpoint, folder: Path, pictures: Path):
        self.family, self.c, self.folder = family, c, folder
        self.f32, self.bf16 = family.load(folder, torch.float32), family.load(folder, torch.bfloat16)
        with float64_everywhere(*family.float64_modules):
            self.f64 = in_float64(self.f32)
        self.prompts = family.prompt_builder(c, folder, pictures, self.f32)

    def make(self, case: Case) -> dict:
        prompt = self.prompts.build(case.messages)
        length = prompt.ids.shape[1]
        logits = self.f32(**prompt.model_inputs()).logits[0]
        rows = sorted({*range(0, length, case.row_step), *range(length - 8, length)})
        tensors = {"position_ids": prompt.positions[:, 0], "logits": logits[rows]}
        if case.name in self.c.pixel_cases:
            tensors["pixel_values"] = prompt.pixel_values
        if case.vision_stages:
            tensors |= self.family.vision_stages(self.f32, prompt)
        greedy = self._greedy(prompt)
        parts = self.family.decoder_parts(self.f32, prompt)
        walk, cache = prefill(parts, (), 0)
        _must_agree("the walk over the layers and the model's forward", walk.logits, logits)
        if decode_greedy(parts, cache, walk.logits[-1], GREEDY_TOKENS).tokens != greedy["tokens"]:
            raise ValueError(f"{case.name}: the walk and generate() choose different tokens")
        if case.residual:
            tensors["residual"] = walk.residual
        pop = self._pop(prompt, parts, tensors) if case.pop else []
        return dict(
            name=case.name,
            messages=case.messages,
            ids=prompt.ids[0].tolist(),
            image_grids=[] if prompt.grids is None else prompt.grids.tolist(),
            position_delta=prompt.delta,
            logits_rows=rows,
            greedy=greedy,
            bf16=_deviation(self.bf16(**prompt.model_inputs()).logits[0], logits),
            f32_noise=_deviation(logits, self._float64_logits(prompt)),
            pop=pop,
            file=f"{case.name}.safetensors",
            tensors=write_case(self.folder, case.name, tensors),
        )

    def _greedy(self, prompt: Prompt) -> dict:
        out = self.f32.generate(
            **prompt.model_inputs(), do_sample=False, temperature=None, top_p=None, top_k=None,
            max_new_tokens=GREEDY_TOKENS, output_logits=True, return_dict_in_generate=True,
        )  # fmt: skip
        tokens = out.sequences[0, prompt.ids.shape[1] :].tolist()
        best = torch.cat(out.logits).topk(2, dim=-1).values
        self._check_no_end(tokens)
        return dict(tokens=tokens, gaps=_rounded((best[:, 0] - best[:, 1]).tolist()))

    def _pop(self, prompt: Prompt, parts, tensors: dict[str, torch.Tensor]) -> list[dict]:
        image_mask = prompt.image_mask[0]
        after_last_picture = len(image_mask) - 1 - int(image_mask.nonzero()[-1]) if image_mask.any() else None
        layers = self.family.decoder_layers(self.f32)
        made = []
        for plan, pruned in pop_plans(self.c).items():
            branches = [branch for index in pruned for branch in self.family.branches(layers[index])]
            boundaries = ["last", "text", 5]
            if after_last_picture is not None and plan == "no_suffix":
                boundaries.append(after_last_picture + 2)  # would cut the picture, and grows
            for boundary in boundaries:
                start = boundary_start(boundary, image_mask)
                walk, cache = prefill(parts, pruned, start)
                gated = gated_logits(self.f32, prompt, branches, start)
                _must_agree("the pruned prefill and the gated model", walk.logits, gated)
                answer = decode_greedy(parts, cache, walk.logits[-1], GREEDY_TOKENS)
                self._check_no_end(answer.tokens)
                name = f"pop.{plan}.{boundary}"
                tensors[name] = walk.logits
                rows = list(range(start, prompt.ids.shape[1]))
                greedy = dict(tokens=answer.tokens, gaps=_rounded(answer.gaps))
                made.append(dict(logits=name, pruned_layers=pruned, boundary=str(boundary), rows=rows, greedy=greedy))
        return made

    def _float64_logits(self, prompt: Prompt) -> torch.Tensor:
        with float64_everywhere(*self.family.float64_modules):
            inputs = prompt.model_inputs()
            if "pixel_values" in inputs:
                inputs["pixel_values"] = inputs["pixel_values"].double()
            return self.f64(**inputs).logits[0]

    def _check_no_end(self, tokens: list[int]) -> None:
        if len(tokens) != GREEDY_TOKENS or not self.c.never_chosen.isdisjoint(tokens):
            raise ValueError("a greedy run ended early or chose a row without a token")


def _deviation(result: torch.Tensor, golden: torch.Tensor) -> dict:
    return dict(nmse=float(f"{nmse(result, golden):.3e}"), max_over_rms=float(f"{max_over_rms(result, golden):.3e}"))


def _must_agree(what: str, one: torch.Tensor, other: torch.Tensor) -> None:
    if not nmse(one, other) <= AGREEMENT:
        raise ValueError(f"{what} differ by {nmse(one, other):.1e}")


def _rounded(values: list[float]) -> list[float]:
    return [float(f"{value:.4g}") for value in values]


def make(family: Family, output: Path, only: list[str]) -> None:
    """output: tests/data. Writes pictures/ and <family>/<checkpoint>/; only: names of checkpoints, all if empty."""
    pictures = output / "pictures"
    write_pictures(pictures)
    for c in (c for c in family.checkpoints if not only or c.name in only):
        folder = output / family.name / c.name
        folder.mkdir(parents=True, exist_ok=True)
        family.write_checkpoint(c, folder)
        maker = GoldenMaker(family, c, folder, pictures)
        made = []
        for case in family.cases:
            made.append(maker.make(case))
            print(_summary(c, made[-1]), flush=True)
        versions = dict(torch=torch.__version__.split("+")[0], transformers=transformers.__version__)
        write_case_list(folder, dict(checkpoint=c.name, made_with=versions, cases=made))


def _summary(c: Checkpoint, case: dict) -> str:
    gaps = [gap for run in [case["greedy"], *(p["greedy"] for p in case["pop"])] for gap in run["gaps"]]
    return (
        f"{c.name} {case['name']}: {len(case['ids'])} tokens, {len(set(case['greedy']['tokens']))} different greedy ones, "
        f"least gap {min(gaps):.1e}, bf16 {json.dumps(case['bf16'])}, f32 noise {json.dumps(case['f32_noise'])}"
    )
