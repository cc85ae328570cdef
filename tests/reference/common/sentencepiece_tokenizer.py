"""A SentencePiece model in the shape of Gemma's, trained on a paragraph, and the tokenizer.json that equals it.

BPE with byte fallback, identity normalisation, no dummy prefix, runs of newlines, spaces and tabs as user-defined
pieces. `<start_of_turn>` and `<end_of_turn>` are user-defined pieces too: plain sentencepiece parses them out of typed
text, tokenizer.json has them as special tokens.
"""

import io
from itertools import chain

import sentencepiece
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers.tokenization_utils_base import generate_merges

from common.tiny_tokenizer import TRAINING_TEXT

SPACE = "\u2581"
CONTROL = ["<unused0>", "<unused1>", "<start_of_image>", "<end_of_image>"]
USER_DEFINED = [
    "<mask>", "[multimodal]", "<start_of_turn>", "<end_of_turn>", *("\n" * n for n in range(1, 7)),
    *(SPACE * n for n in range(2, 9)), "<table>", "</table>", *("\t" * n for n in range(1, 4)),
]  # fmt: skip
META = ["<pad>", "<eos>", "<bos>", "<unk>"]
SPECIAL = [*META, *CONTROL, "<start_of_turn>", "<end_of_turn>"]


def train_model(vocab_size: int) -> bytes:
    """The bytes of a tokenizer.model."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TRAINING_TEXT.strip().splitlines()), model_writer=written, model_type="bpe",
        vocab_size=vocab_size, byte_fallback=True, split_digits=True, allow_whitespace_only_pieces=True,
        add_dummy_prefix=False, normalization_rule_name="identity", remove_extra_whitespaces=False, pad_id=0, eos_id=1,
        bos_id=2, unk_id=3, pad_piece="<pad>", eos_piece="<eos>", bos_piece="<bos>", unk_piece="<unk>",
        control_symbols=CONTROL, user_defined_symbols=USER_DEFINED, num_threads=1, minloglevel=2,
    )  # fmt: skip
    return written.getvalue()


def as_tokenizer(model: bytes) -> Tokenizer:
    """The same as a tokenizer.json, `<image_soft_token>` added after the pieces as in the published files."""
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model)
    vocab = {pieces.id_to_piece(i): i for i in range(pieces.vocab_size())}
    merges = generate_merges(vocab, {piece: pieces.get_score(i) for piece, i in vocab.items()})
    # A run of spaces is found before all merges: its merges come before those of a score that ties with 0.
    merges.sort(key=lambda pair: set("".join(pair)) != {SPACE})
    result = Tokenizer(models.BPE(vocab, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    result.normalizer = normalizers.Replace(" ", SPACE)
    result.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    result.decoder = decoders.Sequence([decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()])
    result.post_processor = processors.TemplateProcessing("<bos> $A", special_tokens=[("<bos>", vocab["<bos>"])])
    for token in chain(META, CONTROL, USER_DEFINED, ["<image_soft_token>"]):
        special = token in SPECIAL or token == "<image_soft_token>"
        result.add_tokens([AddedToken(token, normalized=False, special=special)])
    _must_agree(pieces, result)
    return result


def _must_agree(pieces: sentencepiece.SentencePieceProcessor, tokenizer: Tokenizer) -> None:
    runs = [f"a{c * n}the{c * n}" for c in " \n\t" for n in range(40)]
    texts = [*TRAINING_TEXT.splitlines(), *runs, "größer 大きい ещё\r\n\u00a0\u3000\u0000", "<table> <mask>x</table>", "1,305 x2"]
    for text in texts:
        if pieces.encode(text) != tokenizer.encode(text, add_special_tokens=False).ids:
            raise ValueError(f"sentencepiece and tokenizer.json differ on {text!r}")
