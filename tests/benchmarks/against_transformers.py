"""Prefill of a published text shape: poplens-cli bench against transformers on the CPU, alternating, on one machine.

    python tests/benchmarks/against_transformers.py build/release/bin/poplens-cli --tokens 511,512,2047,2048

Both sides read all tokens and compute the logits of the last position, with random weights of the same shape in bf16.
Every round runs transformers once and poplens-cli once (each warm); medians and ratios are printed as one JSON document.
Needs torch and transformers (the versions of tests/reference/requirements.txt).
"""

import argparse
import json
import statistics
import subprocess
import time

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

# Qwen3-VL's text tower without pictures is Qwen3 with one rotary axis: the same products of the same sizes.
SHAPES = {
    "qwen3-vl-2b": dict(hidden_size=2048, intermediate_size=6144, num_hidden_layers=28, num_attention_heads=16,
                        num_key_value_heads=8, head_dim=128, vocab_size=151936, tie_word_embeddings=True),
}


def make_model(shape, layers, dtype):
    settings = dict(SHAPES[shape])
    if layers:
        settings["num_hidden_layers"] = layers
    with torch.device("meta"):
        model = Qwen3ForCausalLM(Qwen3Config(**settings)).to(dtype)
    model.to_empty(device="cpu")
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.uniform_(-0.02, 0.02)
    model.model.rotary_emb = type(model.model.rotary_emb)(model.config)
    model.config._attn_implementation = "sdpa"
    return model.eval()


@torch.no_grad()
def time_transformers(model, tokens):
    ids = torch.randint(0, 1000, (1, tokens))
    start = time.perf_counter()
    model(input_ids=ids, use_cache=True, logits_to_keep=1)
    return (time.perf_counter() - start) * 1000


def time_poplens(binary, shape, layers, tokens, depths):
    command = [binary, "bench", "--shape", shape, "--image-tokens", "0", "--prompt-tokens", str(tokens), "--depths",
               depths, "--runs", "1", "--json"]
    if layers:
        command += ["--layers", str(layers)]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--shape", default="qwen3-vl-2b", choices=SHAPES)
    parser.add_argument("--layers", type=int, default=0, help="fewer layers than the shape has (marked in the result)")
    parser.add_argument("--tokens", default="511,512,2047,2048")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--dtype", default="bfloat16", choices=["bfloat16", "float32"], help="of transformers")
    parser.add_argument("--depths", default="0")
    arguments = parser.parse_args()

    model = make_model(arguments.shape, arguments.layers, getattr(torch, arguments.dtype))
    rows = []
    for tokens in [int(n) for n in arguments.tokens.split(",")]:
        time_transformers(model, tokens)
        theirs, ours, report = [], [], None
        for _ in range(arguments.runs):
            theirs.append(time_transformers(model, tokens))
            report = time_poplens(arguments.binary, arguments.shape, arguments.layers, tokens, arguments.depths)
            ours.append(report["rows"][0]["prefill_ms"])
        rows.append(dict(tokens=tokens, transformers_ms=statistics.median(theirs), poplens_ms=statistics.median(ours),
                         ratio=statistics.median(theirs) / statistics.median(ours), transformers_all=theirs,
                         poplens_all=ours, share_of_peak=report.get("share_of_peak")))
        print(json.dumps(rows[-1]), flush=True)
    print(json.dumps(dict(shape=arguments.shape, layers=arguments.layers or "all", transformers_dtype=arguments.dtype,
                          torch=torch.__version__, threads=torch.get_num_threads(), rows=rows), indent=1))


if __name__ == "__main__":
    main()
