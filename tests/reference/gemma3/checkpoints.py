"""The tiny checkpoints of Gemma-3, with and without pictures: their sizes, and their files in the layouts of
transformers 4 and 5."""

import json
from dataclasses import dataclass
from pathlib import Path

from transformers import Gemma3ImageProcessor, Gemma3Processor, GemmaTokenizer

from common.sentencepiece_tokenizer import SPECIAL, as_tokenizer, train_model

TEMPLATE_FILE = Path(__file__).with_name("chat_template.jinja")
IMAGE_TOKENS = ["<start_of_image>", "<image_soft_token>", "<end_of_image>"]
SPECIAL_TOKENS = [*SPECIAL, "<image_soft_token>"]


@dataclass(frozen=True)
class Checkpoint:
    name: str
    seed: int
    transformers_4: bool  # spelling of the configuration, of the tensors' names and of the processor's files
    text: dict
    pieces: int  # of the SentencePiece model; `<image_soft_token>` is the id that follows
    global_layers: tuple[int, ...]
    rope: dict  # theta of the global and of the sliding layers, linear factor of the global ones
    pop_no_suffix: tuple[int, ...]
    vision: dict | None = None  # nothing: a text model, whose embedding has no row for `<image_soft_token>`
    mm_tokens_per_image: int = 0
    pattern: int | None = None  # sliding_window_pattern that gives the same global layers
    pixel_cases: tuple[str, ...] = ()

    @property
    def layers(self) -> int:
        return self.text["num_hidden_layers"]

    @property
    def never_chosen(self) -> set[int]:
        """Ends of a turn, what stands for pictures, rows without a token."""
        ends = {0, 1, 2, 3, self.token_id("<end_of_turn>")} | {self.token_id(token) for token in IMAGE_TOKENS}
        return ends | set(range(self.pieces, self.text["vocab_size"]))

    def token_id(self, token: str) -> int:
        if token == "<image_soft_token>":
            return self.pieces
        return {"<start_of_image>": 6, "<end_of_image>": 7, "<start_of_turn>": 10, "<end_of_turn>": 11}[token]


def configuration(c: Checkpoint) -> dict:
    """config.json: as the published files spell it, or for the model class to fill in and save again."""
    text = dict(
        c.text, model_type="gemma3_text", attention_bias=False, attention_dropout=0.0, bos_token_id=2, eos_token_id=1,
        pad_token_id=0, hidden_activation="gelu_pytorch_tanh", initializer_range=0.02, rms_norm_eps=1e-6,
    )  # fmt: skip
    linear = dict(rope_type="linear", factor=c.rope["factor"]) if c.rope["factor"] != 1 else None
    if c.transformers_4:
        text.update(rope_theta=c.rope["global"], rope_local_base_freq=c.rope["local"], rope_scaling=linear)
        text.update(attn_logit_softcapping=None, final_logit_softcapping=None, use_cache=True)
        if c.pattern is not None:
            text.update(sliding_window_pattern=c.pattern, cache_implementation="hybrid")
        versions = dict(torch_dtype="bfloat16", transformers_version="4.50.0.dev0")
    else:
        text["rope_parameters"] = dict(
            full_attention=dict(linear or dict(rope_type="default"), rope_theta=c.rope["global"]),
            sliding_attention=dict(rope_type="default", rope_theta=c.rope["local"]),
        )
        versions = dict(dtype="bfloat16", transformers_version="5.24.0")
    if c.pattern is None:
        kinds = ["full_attention" if i in c.global_layers else "sliding_attention" for i in range(c.layers)]
        text["layer_types"] = kinds
    if c.vision is None:
        return dict(text, architectures=["Gemma3ForCausalLM"], **versions)
    vision = dict(c.vision, model_type="siglip_vision_model", vision_use_head=False)
    start, soft, end = (c.token_id(token) for token in IMAGE_TOKENS)
    return dict(
        architectures=["Gemma3ForConditionalGeneration"], model_type="gemma3", boi_token_index=start,
        eoi_token_index=end, image_token_index=soft, eos_token_id=[1, c.token_id("<end_of_turn>")],
        initializer_range=0.02, mm_tokens_per_image=c.mm_tokens_per_image, text_config=text, vision_config=vision,
        **versions,
    )  # fmt: skip


def write_json(path: Path, document: dict) -> None:
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_files(c: Checkpoint, folder: Path) -> None:
    """Everything but the weights."""
    write_json(folder / "config.json", configuration(c))
    sampling = dict(bos_token_id=2, do_sample=True, eos_token_id=[1, c.token_id("<end_of_turn>")], pad_token_id=0)
    write_json(folder / "generation_config.json", dict(sampling, top_k=64, top_p=0.95))
    model = train_model(c.pieces)
    (folder / "tokenizer.model").write_bytes(model)
    if c.transformers_4:
        _write_tokenizer_4(c, folder, model)
        if c.vision is not None:
            _write_processor_4(c, folder)
    else:
        _write_processor_5(c, folder, model)


def _write_tokenizer_4(c: Checkpoint, folder: Path, model: bytes) -> None:
    tokenizer = as_tokenizer(model)
    document = json.dumps(json.loads(tokenizer.to_str()), indent=1, ensure_ascii=False)
    (folder / "tokenizer.json").write_text(document + "\n", encoding="utf-8")
    flags = dict(lstrip=False, normalized=False, rstrip=False, single_word=False)
    added = {
        str(i): dict(content=token.content, special=token.special, **flags)
        for i, token in tokenizer.get_added_tokens_decoder().items()
    }
    template = TEMPLATE_FILE.read_text()
    names = _token_names()
    write_json(
        folder / "tokenizer_config.json",
        dict(
            add_bos_token=True, add_eos_token=False, added_tokens_decoder=added, chat_template=template,
            clean_up_tokenization_spaces=False, extra_special_tokens=names, model_max_length=4096, padding_side="left",
            bos_token="<bos>", eos_token="<eos>", pad_token="<pad>", unk_token="<unk>", sp_model_kwargs=None,
            spaces_between_special_tokens=False, tokenizer_class="GemmaTokenizer", **names,
        ),
    )  # fmt: skip
    if c.vision is not None:
        write_json(folder / "chat_template.json", dict(chat_template=template))


def _token_names() -> dict[str, str]:
    return dict(boi_token="<start_of_image>", eoi_token="<end_of_image>", image_token="<image_soft_token>")


def _write_processor_4(c: Checkpoint, folder: Path) -> None:
    size = c.vision["image_size"]
    unset = ("do_convert_rgb", "do_pan_and_scan", "pan_and_scan_max_num_crops", "pan_and_scan_min_crop_size")
    settings = dict(
        dict.fromkeys([*unset, "pan_and_scan_min_ratio_to_activate"]), do_normalize=True, do_rescale=True,
        do_resize=True, image_mean=[0.5, 0.5, 0.5], image_processor_type="Gemma3ImageProcessor",
        image_seq_length=c.mm_tokens_per_image, image_std=[0.5, 0.5, 0.5], processor_class="Gemma3Processor",
        resample=2, rescale_factor=1 / 255, size=dict(height=size, width=size),
    )  # fmt: skip
    write_json(folder / "preprocessor_config.json", settings)
    names = dict(image_seq_length=c.mm_tokens_per_image, processor_class="Gemma3Processor")
    write_json(folder / "processor_config.json", names)


def _write_processor_5(c: Checkpoint, folder: Path, model: bytes) -> None:
    """As transformers 5.24 saves it."""
    document = json.loads(as_tokenizer(model).to_str())["model"]
    tokenizer = GemmaTokenizer(
        vocab=document["vocab"], merges=[tuple(pair) for pair in document["merges"]], model_max_length=4096,
        extra_special_tokens=_token_names(),
    )  # fmt: skip
    for i, token in as_tokenizer(model).get_added_tokens_decoder().items():
        tokenizer.add_tokens([token], special_tokens=token.special)
        if tokenizer.convert_tokens_to_ids(token.content) != i:
            raise ValueError(f"{token.content!r} is no longer {i}")
    tokenizer.chat_template = TEMPLATE_FILE.read_text()
    if c.vision is None:
        tokenizer.save_pretrained(folder)
        return
    size = dict(height=c.vision["image_size"], width=c.vision["image_size"])
    Gemma3Processor(
        image_processor=Gemma3ImageProcessor(size=size), tokenizer=tokenizer, chat_template=tokenizer.chat_template,
        image_seq_length=c.mm_tokens_per_image,
    ).save_pretrained(folder)  # fmt: skip
