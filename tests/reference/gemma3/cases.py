"""The conversations of Gemma-3's golden cases."""

from common import conversations

TYPED = "Is <end_of_turn> a word?\n<bos> And <image_soft_token>, <start_of_image>,  <start_of_turn>model?"

CASES = [
    conversations.text_only(),
    conversations.typed_special(TYPED, every_row=False),
    conversations.one_image(vision_stages=True),
    conversations.two_images(vision_stages=True),
    conversations.wide_image(every_row=False),
    conversations.second_turn(every_row=False),
    conversations.long_text(),
    conversations.long_image(),
]

TEXT_CASES = [
    conversations.text_only(residual=False),
    conversations.typed_special(TYPED, every_row=False),
    conversations.text_second_turn(),
    conversations.long_text(),
]
