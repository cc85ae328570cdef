"""The conversations of Gemma-3's golden cases."""

from common import conversations

TYPED = "Is <end_of_turn> a word?\n<bos> And <image_soft_token>, <start_of_image>,  <start_of_turn>model?"

CASES = [
    conversations.text_only(),
    conversations.typed_special(TYPED, row_step=7),
    conversations.one_image(vision_stages=True),
    conversations.two_images(vision_stages=True),
    conversations.wide_image(row_step=7),
    conversations.second_turn(row_step=7),
    conversations.long_text(row_step=21),
    conversations.long_image(row_step=21),
]

TEXT_CASES = [
    conversations.text_only(),
    conversations.typed_special(TYPED, row_step=7),
    conversations.text_second_turn(row_step=7),
    conversations.long_text(row_step=21),
]
