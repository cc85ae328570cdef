#!/usr/bin/env python3
"""Makes tests/data/sampler.json: which tokens survive transformers' logits processors, and how likely they are.

    python tests/reference/sampler_goldens.py

The processors and their order are those that GenerationMixin itself builds (`_get_logits_processor`) from a
GenerationConfig; nothing is reimplemented here. Needs torch and transformers (requirements.txt).
"""

import json
import random
from pathlib import Path

import torch
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

VOCAB = 48
OUT = Path(__file__).parent.parent / "data" / "sampler.json"

SETTINGS = [
    dict(temperature=1.0),
    dict(temperature=0.3),
    dict(temperature=2.5),
    dict(temperature=1.0, top_k=1),
    dict(temperature=1.0, top_k=5),
    dict(temperature=1.0, top_k=VOCAB),
    dict(temperature=1.0, top_k=1000),
    dict(temperature=1.0, top_p=0.5),
    dict(temperature=1.0, top_p=0.9),
    dict(temperature=1.0, top_p=0.01),
    dict(temperature=0.5, top_p=0.9),
    dict(temperature=1.0, min_p=0.05),
    dict(temperature=1.0, min_p=0.5),
    dict(temperature=3.0, min_p=0.2),
    dict(temperature=1.0, repetition_penalty=1.3),
    dict(temperature=1.0, repetition_penalty=0.8),
    dict(temperature=0.7, top_k=20, top_p=0.8, repetition_penalty=1.0),
    dict(temperature=0.7, top_k=20, top_p=0.8, repetition_penalty=1.2),
    dict(temperature=1.5, top_k=10, top_p=0.7, min_p=0.1, repetition_penalty=1.1),
    dict(temperature=0.6, top_p=0.95, top_k=20, min_p=0.02),
]


def logits_of(kind: str, rng: random.Random) -> list[float]:
    if kind == "peaked":
        values = [rng.gauss(0.0, 3.0) for _ in range(VOCAB)]
    elif kind == "flat":
        values = [rng.gauss(0.0, 0.3) for _ in range(VOCAB)]
    else:  # ties: top-k keeps all that are as good as the k-th
        values = [float(rng.randrange(-3, 4)) for _ in range(VOCAB)]
    return [round(value * 1024) / 1024 for value in values]  # exact in f32 and short in JSON


def main() -> None:
    rng = random.Random(20)
    model = LlamaForCausalLM(
        LlamaConfig(vocab_size=VOCAB, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1)
    )
    cases = []
    for kind in ("peaked", "flat", "ties"):
        for settings in SETTINGS:
            # Ties make the set that top-p keeps a matter of the sort's order: no golden for them.
            if kind == "ties" and settings.get("top_p", 1.0) < 1.0:
                continue
            logits = logits_of(kind, rng)
            context = [rng.randrange(VOCAB) for _ in range(12)]
            full = dict(top_k=0, top_p=1.0, min_p=0.0, repetition_penalty=1.0) | settings
            config = GenerationConfig(do_sample=True, **full)
            processors = model._get_logits_processor(config, input_ids_seq_length=len(context))
            scores = processors(torch.tensor([context]), torch.tensor([logits], dtype=torch.float32))[0]
            probabilities = torch.softmax(scores.double(), dim=-1)
            kept = [i for i in range(VOCAB) if scores[i] != -float("inf")]
            cases.append(
                dict(
                    kind=kind,
                    sampling=full,
                    logits=logits,
                    context=context,
                    kept=kept,
                    probabilities=[float(f"{float(probabilities[i]):.8g}") for i in kept],
                )
            )
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    OUT.write_text('{"vocab":%d,"cases":[\n%s\n]}\n' % (VOCAB, lines))
    print(f"{OUT.name}: {len(cases)} cases, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
