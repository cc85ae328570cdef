"""The conversations of Llama's golden cases."""

from common import conversations

TYPED = "Is <|eot_id|> a word?\n<|begin_of_text|> And <|start_header_id|>assistant<|end_header_id|>?"

CASES = [
    conversations.text_only(residual=False),
    conversations.typed_special(TYPED, every_row=False),
    conversations.text_second_turn(),
    conversations.long_text(),
]
