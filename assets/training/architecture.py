"""Sizes of the demo model: the Qwen3-VL architecture, small enough for 25 MB in bfloat16."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Architecture:
    """Every size that the forward pass and the exported config.json need."""

    vocabulary: int = 768
    layers: int = 20
    hidden: int = 192
    mlp: int = 384
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 64
    mrope_section: tuple[int, int, int] = (12, 10, 10)
    rope_theta: float = 10000.0
    context: int = 4096

    vision_layers: int = 7
    vision_hidden: int = 160
    vision_mlp: int = 640
    vision_heads: int = 5
    deepstack_layers: tuple[int, ...] = (2, 3, 5)
    position_side: int = 16
    patch_px: int = 16
    norm_eps: float = 1e-6

    @property
    def vision_head_dim(self) -> int:
        return self.vision_hidden // self.vision_heads

    @property
    def merged(self) -> int:
        """Width of four patches side by side, which a merger reads."""
        return 4 * self.vision_hidden


def vision_shapes(a: Architecture) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the vision tower's tensors, as transformers has them."""
    d, m = a.vision_hidden, a.merged
    shapes: dict[str, tuple[int, ...]] = {
        "patch_embed.proj.weight": (d, 3, 2, a.patch_px, a.patch_px),
        "patch_embed.proj.bias": (d,),
        "pos_embed.weight": (a.position_side**2, d),
    }
    for i in range(a.vision_layers):
        block = f"blocks.{i}."
        shapes |= {
            block + "norm1.weight": (d,),
            block + "norm1.bias": (d,),
            block + "norm2.weight": (d,),
            block + "norm2.bias": (d,),
            block + "attn.qkv.weight": (3 * d, d),
            block + "attn.qkv.bias": (3 * d,),
            block + "attn.proj.weight": (d, d),
            block + "attn.proj.bias": (d,),
            block + "mlp.linear_fc1.weight": (a.vision_mlp, d),
            block + "mlp.linear_fc1.bias": (a.vision_mlp,),
            block + "mlp.linear_fc2.weight": (d, a.vision_mlp),
            block + "mlp.linear_fc2.bias": (d,),
        }
    mergers = ["merger."] + [f"deepstack_merger_list.{i}." for i in range(len(a.deepstack_layers))]
    for merger in mergers:
        norm = d if merger == "merger." else m
        shapes |= {
            merger + "norm.weight": (norm,),
            merger + "norm.bias": (norm,),
            merger + "linear_fc1.weight": (m, m),
            merger + "linear_fc1.bias": (m,),
            merger + "linear_fc2.weight": (a.hidden, m),
            merger + "linear_fc2.bias": (a.hidden,),
        }
    return {"model.visual." + name: shape for name, shape in shapes.items()}


def decoder_shapes(a: Architecture) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the decoder's tensors, as transformers has them; the head is tied."""
    shapes: dict[str, tuple[int, ...]] = {
        "embed_tokens.weight": (a.vocabulary, a.hidden),
        "norm.weight": (a.hidden,),
    }
    for i in range(a.layers):
        layer = f"layers.{i}."
        shapes |= {
            layer + "input_layernorm.weight": (a.hidden,),
            layer + "self_attn.q_proj.weight": (a.heads * a.head_dim, a.hidden),
            layer + "self_attn.k_proj.weight": (a.kv_heads * a.head_dim, a.hidden),
            layer + "self_attn.v_proj.weight": (a.kv_heads * a.head_dim, a.hidden),
            layer + "self_attn.o_proj.weight": (a.hidden, a.heads * a.head_dim),
            layer + "self_attn.q_norm.weight": (a.head_dim,),
            layer + "self_attn.k_norm.weight": (a.head_dim,),
            layer + "post_attention_layernorm.weight": (a.hidden,),
            layer + "mlp.gate_proj.weight": (a.mlp, a.hidden),
            layer + "mlp.up_proj.weight": (a.mlp, a.hidden),
            layer + "mlp.down_proj.weight": (a.hidden, a.mlp),
        }
    return {"model.language_model." + name: shape for name, shape in shapes.items()}
