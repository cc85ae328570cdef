"""The two tiny checkpoints with pictures."""

from .checkpoints import Checkpoint

TINY_V4 = Checkpoint(
    name="tiny-v4",
    seed=31,
    transformers_4=True,
    text=dict(hidden_size=48, intermediate_size=72, num_hidden_layers=8, num_attention_heads=4, num_key_value_heads=2,
              head_dim=24, vocab_size=432, max_position_embeddings=8192, query_pre_attn_scalar=20, sliding_window=20),
    pieces=424,
    global_layers=(2, 5),
    pattern=3,
    rope={"global": 1000000.0, "local": 10000.0, "factor": 8.0},
    vision=dict(hidden_size=48, image_size=56, intermediate_size=72, num_attention_heads=2, num_hidden_layers=3,
                patch_size=14),
    mm_tokens_per_image=4,
    pixel_cases=("two_images",),
    pop_no_suffix=(1, 2, 6),
)  # fmt: skip

TINY_V5 = Checkpoint(
    name="tiny-v5",
    seed=47,
    transformers_4=False,
    text=dict(hidden_size=40, intermediate_size=64, num_hidden_layers=9, num_attention_heads=4, num_key_value_heads=1,
              head_dim=20, vocab_size=416, max_position_embeddings=4096, query_pre_attn_scalar=18, sliding_window=24),
    pieces=408,
    global_layers=(3, 7),
    rope={"global": 50000.0, "local": 1000.0, "factor": 4.0},
    vision=dict(hidden_size=36, image_size=64, intermediate_size=60, num_attention_heads=3, num_hidden_layers=4,
                patch_size=8),
    mm_tokens_per_image=16,
    pixel_cases=("one_image",),
    pop_no_suffix=(0, 3, 4, 6),
)  # fmt: skip

CHECKPOINTS = [TINY_V4, TINY_V5]
