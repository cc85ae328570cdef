"""The conversations of Llama's golden cases."""

from common import conversations

TYPED = "Is <|eot_id|> a word?\n<|begin_of_text|> And <|start_header_id|>assistant<|end_header_id|>?"

CASES = [
    conversations.text_only(row_step=7),
    conversations.typed_special(TYPED, row_step=7),
    conversations.text_second_turn(row_step=7),
    conversations.long_text(row_step=21),
]
