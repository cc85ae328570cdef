"""The conversations of Qwen3-VL's golden cases."""

from common import conversations

CASES = [
    conversations.text_only(residual=True),
    conversations.typed_special("Is <|im_end|> a word?<think> And <|image_pad|>?"),
    conversations.one_image(vision_stages=True, residual=True),
    conversations.two_images(vision_stages=True),
    conversations.wide_image(),
    conversations.tall_image(),
    conversations.second_turn(),
    conversations.long_text(row_step=7),
    conversations.long_image(row_step=7),
]
