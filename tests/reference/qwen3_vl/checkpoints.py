"""The two tiny checkpoints: their sizes, and their files in the layouts of transformers 4 and 5."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, normalizers, pre_tokenizers, processors

from common.tiny_tokenizer import train_byte_level_bpe

TEMPLATE_FILE = Path(__file__).with_name("chat_template.jinja")

SPLIT_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
SPECIAL_TOKENS = [
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>",
    "<|box_end|>", "<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>",
    "<|image_pad|>", "<|video_pad|>",
]  # fmt: skip
PLAIN_ADDED_TOKENS = [
    "<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>",
    "<|repo_name|>", "<|file_sep|>", "<tool_response>", "</tool_response>", "<think>", "</think>",
]  # fmt: skip


@dataclass(frozen=True)
class Checkpoint:
    name: str
    seed: int
    tied: bool
    transformers_4: bool  # spelling of the configuration, of the merges and of the processor's file
    text: dict
    vision: dict
    rope_theta: float
    mrope_section: list[int]
    pretrained_vocabulary: int  # entries of the BPE; 26 added tokens follow, and unused rows up to text["vocab_size"]
    shortest_edge: int
    longest_edge: int
    shards: list[str] = field(default_factory=list)  # of "visual", "layers", "rest": see weights.save; none: one file
    pixel_cases: tuple[str, ...] = ()  # those that store pixel_values
    pop_no_suffix: tuple[int, ...] = ()  # a set of pruned layers that is no suffix, one among the DeepStack layers

    def token_id(self, token: str) -> int:
        return self.pretrained_vocabulary + (SPECIAL_TOKENS + PLAIN_ADDED_TOKENS).index(token)

    @property
    def layers(self) -> int:
        return self.text["num_hidden_layers"]

    @property
    def never_chosen(self) -> set[int]:
        unused = range(self.used_vocabulary, self.text["vocab_size"])
        return {self.token_id("<|im_end|>"), self.token_id("<|endoftext|>"), *unused}

    @property
    def used_vocabulary(self) -> int:
        return self.pretrained_vocabulary + len(SPECIAL_TOKENS) + len(PLAIN_ADDED_TOKENS)


TINY_TIED = Checkpoint(
    name="tiny-tied",
    seed=12,
    tied=True,
    transformers_4=True,
    text=dict(hidden_size=64, intermediate_size=96, num_hidden_layers=8, num_attention_heads=4, num_key_value_heads=2,
              head_dim=32, vocab_size=384, max_position_embeddings=4096, rms_norm_eps=1e-6),
    vision=dict(depth=4, hidden_size=40, intermediate_size=100, num_heads=2, patch_size=16, temporal_patch_size=2,
                spatial_merge_size=2, num_position_embeddings=144, deepstack_visual_indexes=[0, 1, 3]),
    rope_theta=10000.0,
    mrope_section=[7, 5, 4],
    pretrained_vocabulary=346,
    shortest_edge=4096,
    longest_edge=262144,
    pixel_cases=("one_image", "two_images"),
    pop_no_suffix=(1, 4, 7),
)  # fmt: skip

TINY_UNTIED = Checkpoint(
    name="tiny-untied",
    seed=23,
    tied=False,
    transformers_4=False,
    text=dict(hidden_size=56, intermediate_size=88, num_hidden_layers=9, num_attention_heads=6, num_key_value_heads=2,
              head_dim=24, vocab_size=352, max_position_embeddings=2048, rms_norm_eps=1e-5),
    vision=dict(depth=5, hidden_size=36, intermediate_size=84, num_heads=3, patch_size=8, temporal_patch_size=2,
                spatial_merge_size=2, num_position_embeddings=49, deepstack_visual_indexes=[1, 2, 4]),
    rope_theta=500000.0,
    mrope_section=[5, 4, 3],
    pretrained_vocabulary=318,
    shortest_edge=2048,
    longest_edge=65536,
    shards=["visual", "layers", "rest"],
    pixel_cases=("two_images",),
    pop_no_suffix=(0, 2, 3, 6),
)  # fmt: skip

CHECKPOINTS = [TINY_TIED, TINY_UNTIED]


def configuration(c: Checkpoint) -> dict:
    """config.json, every key spelt that the published files spell."""
    text = dict(
        attention_bias=False, attention_dropout=0.0, bos_token_id=c.token_id("<|endoftext|>"),
        eos_token_id=c.token_id("<|im_end|>"), hidden_act="silu", initializer_range=0.02, model_type="qwen3_vl_text",
        use_cache=True, **c.text,
    )  # fmt: skip
    vision = dict(
        hidden_act="gelu_pytorch_tanh", in_channels=3, initializer_range=0.02, out_hidden_size=c.text["hidden_size"],
        **c.vision,
    )  # fmt: skip
    sections = dict(mrope_interleaved=True, mrope_section=c.mrope_section, rope_type="default")
    if c.transformers_4:
        text.update(torch_dtype="bfloat16", rope_theta=c.rope_theta, rope_scaling=sections)
        vision.update(model_type="qwen3_vl")
        top = dict(torch_dtype="bfloat16", transformers_version="4.57.0.dev0")
    else:
        text.update(dtype="bfloat16", rope_parameters=dict(sections, rope_theta=c.rope_theta), pad_token_id=None)
        text.update(tie_word_embeddings=c.tied)
        vision.update(
            model_type="qwen3_vl_vision", dtype="bfloat16", rope_parameters=dict(rope_theta=10000.0, rope_type="axial")
        )
        top = dict(dtype="bfloat16", transformers_version="5.24.0")
    return dict(
        architectures=["Qwen3VLForConditionalGeneration"], model_type="qwen3_vl",
        image_token_id=c.token_id("<|image_pad|>"), video_token_id=c.token_id("<|video_pad|>"),
        vision_start_token_id=c.token_id("<|vision_start|>"), vision_end_token_id=c.token_id("<|vision_end|>"),
        tie_word_embeddings=c.tied, text_config=text, vision_config=vision, **top,
    )  # fmt: skip


def tokenizer(c: Checkpoint) -> Tokenizer:
    split = pre_tokenizers.Split(Regex(SPLIT_PATTERN), behavior="isolated", invert=False)
    byte_level = dict(add_prefix_space=False, trim_offsets=False, use_regex=False)
    result = Tokenizer(train_byte_level_bpe(split, c.pretrained_vocabulary))
    result.normalizer = normalizers.NFC()
    result.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(**byte_level)])
    result.post_processor = processors.ByteLevel(**byte_level)
    result.decoder = decoders.ByteLevel(**byte_level)
    for tokens, special in ((SPECIAL_TOKENS, True), (PLAIN_ADDED_TOKENS, False)):
        result.add_tokens([AddedToken(token, special=special, normalized=False) for token in tokens])
    if result.get_vocab_size() != c.used_vocabulary:
        raise ValueError(f"{c.name}: the training text yields {result.get_vocab_size()} entries, not {c.used_vocabulary}")
    return result


def _image_processor(c: Checkpoint) -> dict:
    return dict(
        image_mean=[0.5, 0.5, 0.5], image_std=[0.5, 0.5, 0.5], merge_size=c.vision["spatial_merge_size"],
        patch_size=c.vision["patch_size"], size=dict(longest_edge=c.longest_edge, shortest_edge=c.shortest_edge),
        temporal_patch_size=c.vision["temporal_patch_size"],
    )  # fmt: skip


def _write_json(path: Path, document: dict) -> None:
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_files(c: Checkpoint, folder: Path) -> None:
    """Everything but the weights."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_json(folder / "config.json", configuration(c))
    end, pad = c.token_id("<|im_end|>"), c.token_id("<|endoftext|>")
    sampling = dict(do_sample=True, temperature=0.7, top_k=20, top_p=0.8, repetition_penalty=1.0)
    _write_json(
        folder / "generation_config.json", dict(bos_token_id=pad, eos_token_id=[end, pad], pad_token_id=pad, **sampling)
    )
    _write_tokenizer(c, folder)
    (folder / "chat_template.jinja").write_bytes(TEMPLATE_FILE.read_bytes())
    settings = _image_processor(c)
    if c.transformers_4:
        names = dict(processor_class="Qwen3VLProcessor", image_processor_type="Qwen2VLImageProcessorFast")
        _write_json(folder / "preprocessor_config.json", dict(settings, **names))
        video = dict(settings, processor_class="Qwen3VLProcessor", video_processor_type="Qwen3VLVideoProcessor")
        _write_json(folder / "video_preprocessor_config.json", video)
    else:
        image = dict(settings, do_convert_rgb=True, do_normalize=True, do_rescale=True, do_resize=True, resample=3,
                     rescale_factor=1 / 255, image_processor_type="Qwen2VLImageProcessor")  # fmt: skip
        video = dict(settings, video_processor_type="Qwen3VLVideoProcessor")
        document = dict(image_processor=image, processor_class="Qwen3VLProcessor", video_processor=video)
        _write_json(folder / "processor_config.json", document)


def _write_tokenizer(c: Checkpoint, folder: Path) -> None:
    document = json.loads(tokenizer(c).to_str())
    if c.transformers_4:
        document["model"]["merges"] = [" ".join(pair) for pair in document["model"]["merges"]]
    (folder / "tokenizer.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    names = dict(
        add_prefix_space=False, bos_token=None, clean_up_tokenization_spaces=False, eos_token="<|im_end|>",
        errors="replace", model_max_length=c.text["max_position_embeddings"], pad_token="<|endoftext|>",
        split_special_tokens=False, tokenizer_class="Qwen2Tokenizer", unk_token=None,
    )  # fmt: skip
    if c.transformers_4:
        flags = dict(lstrip=False, normalized=False, rstrip=False, single_word=False)
        added = {
            str(c.token_id(token)): dict(content=token, special=token in SPECIAL_TOKENS, **flags)
            for token in SPECIAL_TOKENS + PLAIN_ADDED_TOKENS
        }
        names.update(added_tokens_decoder=added, additional_special_tokens=SPECIAL_TOKENS[1:], add_bos_token=False)
    _write_json(folder / "tokenizer_config.json", names)
