"""The two tiny checkpoints of Llama: their sizes, and their files in the layouts of transformers 4 and 5."""

import json
from dataclasses import dataclass
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, pre_tokenizers, processors

from common.tiny_tokenizer import train_byte_level_bpe

TEMPLATE_FILE = Path(__file__).with_name("chat_template.jinja")

SPLIT_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
SPECIAL_TOKENS = [
    "<|begin_of_text|>", "<|end_of_text|>", "<|reserved_special_token_0|>", "<|reserved_special_token_1|>",
    "<|finetune_right_pad_id|>", "<|reserved_special_token_2|>", "<|start_header_id|>", "<|end_header_id|>",
    "<|eom_id|>", "<|eot_id|>", "<|python_tag|>",
]  # fmt: skip
WHOLE_WORD = "Ġpicture"  # an entry that no merge makes: `ignore_merges` alone gives it


@dataclass(frozen=True)
class Checkpoint:
    name: str
    seed: int
    tied: bool
    transformers_4: bool  # spelling of the configuration and of the merges, place of the chat template
    text: dict
    rope_theta: float
    rope_scaling: dict
    pretrained_vocabulary: int  # entries of the BPE; the special tokens follow, and unused rows up to text["vocab_size"]
    pop_no_suffix: tuple[int, ...]
    pixel_cases: tuple[str, ...] = ()

    @property
    def layers(self) -> int:
        return self.text["num_hidden_layers"]

    @property
    def never_chosen(self) -> set[int]:
        """Ends of a turn, rows without a token."""
        ends = {self.token_id(token) for token in ("<|end_of_text|>", "<|eom_id|>", "<|eot_id|>")}
        return ends | set(range(self.pretrained_vocabulary + len(SPECIAL_TOKENS), self.text["vocab_size"]))

    def token_id(self, token: str) -> int:
        return self.pretrained_vocabulary + SPECIAL_TOKENS.index(token)


# Wavelengths of the frequencies: 2 pi theta^(2j / head_dim). Below N / 4 they stay, above N they are divided, between
# they are mixed; each of the three happens to some.
TINY_UNTIED = Checkpoint(
    name="tiny-untied",
    seed=61,
    tied=False,
    transformers_4=False,
    text=dict(hidden_size=48, intermediate_size=80, num_hidden_layers=8, num_attention_heads=6, num_key_value_heads=2,
              head_dim=24, vocab_size=352, max_position_embeddings=4096, rms_norm_eps=1e-5),
    rope_theta=10000.0,
    rope_scaling=dict(factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=320,
                      rope_type="llama3"),
    pretrained_vocabulary=339,
    pop_no_suffix=(1, 4, 5),
)  # fmt: skip

TINY_TIED = Checkpoint(
    name="tiny-tied",
    seed=73,
    tied=True,
    transformers_4=True,
    text=dict(hidden_size=64, intermediate_size=88, num_hidden_layers=9, num_attention_heads=4, num_key_value_heads=1,
              vocab_size=336, max_position_embeddings=2048, rms_norm_eps=1e-5),
    rope_theta=500000.0,
    rope_scaling=dict(factor=32.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=256,
                      rope_type="llama3"),
    pretrained_vocabulary=325,
    pop_no_suffix=(0, 3, 6, 7),
)  # fmt: skip

CHECKPOINTS = [TINY_UNTIED, TINY_TIED]


def configuration(c: Checkpoint) -> dict:
    """config.json: as the published files spell it, or for the model class to fill in and save again."""
    ends = [c.token_id(token) for token in ("<|end_of_text|>", "<|eom_id|>", "<|eot_id|>")]
    common = dict(
        architectures=["LlamaForCausalLM"], model_type="llama", attention_bias=False, attention_dropout=0.0,
        bos_token_id=c.token_id("<|begin_of_text|>"), eos_token_id=ends, hidden_act="silu", initializer_range=0.02,
        mlp_bias=False, pretraining_tp=1, tie_word_embeddings=c.tied, **c.text,
    )  # fmt: skip
    if c.transformers_4:
        old = dict(rope_theta=c.rope_theta, rope_scaling=c.rope_scaling, torch_dtype="bfloat16", use_cache=True)
        return dict(common, **old, transformers_version="4.45.0.dev0")
    new = dict(rope_parameters=dict(c.rope_scaling, rope_theta=c.rope_theta), dtype="bfloat16")
    return dict(common, **new, transformers_version="5.24.0")


def tokenizer(c: Checkpoint) -> Tokenizer:
    split = pre_tokenizers.Split(Regex(SPLIT_PATTERN), behavior="isolated", invert=False)
    byte_level = dict(add_prefix_space=False, trim_offsets=True, use_regex=False)
    model = train_byte_level_bpe(split, c.pretrained_vocabulary - 1)
    result = Tokenizer(model)
    result.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(**byte_level)])
    result.decoder = decoders.ByteLevel(**byte_level)
    document = json.loads(result.to_str())
    document["model"].update(ignore_merges=True)
    document["model"]["vocab"][WHOLE_WORD] = c.pretrained_vocabulary - 1
    result = Tokenizer.from_str(json.dumps(document))
    result.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL_TOKENS])
    bos = ("<|begin_of_text|>", c.token_id("<|begin_of_text|>"))
    template = processors.TemplateProcessing(f"{bos[0]} $A", special_tokens=[bos])
    result.post_processor = processors.Sequence([processors.ByteLevel(**byte_level), template])
    if result.token_to_id("<|python_tag|>") != c.token_id("<|python_tag|>"):
        raise ValueError(f"{c.name}: the training text does not yield {c.pretrained_vocabulary} entries")
    return result


def _write_json(path: Path, document: dict) -> None:
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_files(c: Checkpoint, folder: Path) -> None:
    """Everything but the weights."""
    config = configuration(c)
    _write_json(folder / "config.json", config)
    sampling = dict(do_sample=True, temperature=0.6, top_p=0.9)
    ends = dict(bos_token_id=config["bos_token_id"], eos_token_id=config["eos_token_id"])
    _write_json(folder / "generation_config.json", dict(ends, **sampling))
    document = json.loads(tokenizer(c).to_str())
    if c.transformers_4:
        document["model"]["merges"] = [" ".join(pair) for pair in document["model"]["merges"]]
    (folder / "tokenizer.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    flags = dict(lstrip=False, normalized=False, rstrip=False, single_word=False, special=True)
    names = dict(
        added_tokens_decoder={str(c.token_id(token)): dict(content=token, **flags) for token in SPECIAL_TOKENS},
        bos_token="<|begin_of_text|>", clean_up_tokenization_spaces=True, eos_token="<|eot_id|>",
        model_input_names=["input_ids", "attention_mask"], model_max_length=c.text["max_position_embeddings"],
        tokenizer_class="PreTrainedTokenizerFast",
    )  # fmt: skip
    if c.transformers_4:
        names["chat_template"] = TEMPLATE_FILE.read_text()
    else:
        (folder / "chat_template.jinja").write_bytes(TEMPLATE_FILE.read_bytes())
    _write_json(folder / "tokenizer_config.json", names)
