"""The tiny checkpoints without pictures: Gemma-3 270M and 1B are such models, the configuration flat."""

from gemma3.checkpoints import Checkpoint

# No pattern that a number gives, so layer_types; no factor, as in the published text models; pieces fill the embedding,
# `<image_soft_token>` has no row there.
TINY_V4 = Checkpoint(
    name="tiny-v4",
    seed=83,
    transformers_4=True,
    text=dict(hidden_size=40, intermediate_size=64, num_hidden_layers=9, num_attention_heads=4, num_key_value_heads=1,
              head_dim=24, vocab_size=400, max_position_embeddings=4096, query_pre_attn_scalar=24, sliding_window=30),
    pieces=400,
    global_layers=(2, 4, 8),
    rope={"global": 1000000.0, "local": 10000.0, "factor": 1},
    pop_no_suffix=(1, 2, 5, 6),
)  # fmt: skip

CHECKPOINTS = [TINY_V4]
