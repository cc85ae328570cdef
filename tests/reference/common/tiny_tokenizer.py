"""A byte-level BPE tokenizer of a few hundred entries, trained on the paragraph below.

The vocabulary is that of `tokenizers`' own BPE trainer; everything around it (normaliser, pre-tokeniser, decoder, added
tokens, their flags) is the caller's, so that the file has the layout of the family's real one.
"""

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

TRAINING_TEXT = """
system
You are a helpful assistant.
user
What is in this picture? How many red circles are there? Which shape is left of the blue square?
Describe every object in reading order. Read the number and the word. Compare the first image with the second image.
assistant
There are three red circles and two blue squares. The green triangle is above the yellow star. It's a chart with four bars.
The prefill reads the prompt and writes keys and values; the decode stage then writes the answer, one token at a time.
A layer that is left out of the prefill still writes its keys and values, so that the answer can attend to every token.
"""


def train_byte_level_bpe(pattern_split: pre_tokenizers.PreTokenizer, vocab_size: int) -> models.BPE:
    """Returns the BPE model: 256 byte symbols in the order of the GPT-2 alphabet's code points, then merged pieces."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pattern_split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=[],
        show_progress=False,
    )
    tokenizer.train_from_iterator([TRAINING_TEXT], trainer)
    return tokenizer.model
