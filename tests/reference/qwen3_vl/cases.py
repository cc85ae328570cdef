"""The conversations of the golden cases."""

from dataclasses import dataclass


def _image(name: str) -> dict:
    return dict(type="image", image=name)


def _text(text: str) -> dict:
    return dict(type="text", text=text)


def _user(*parts: dict) -> dict:
    return dict(role="user", content=list(parts))


LONG_TEXT = (
    "The prefill reads the prompt and writes keys and values; the decode stage then writes the answer. "
    "There are 12 red circles, 7 blue squares and 1,305 green stars in picture number 4. "
    "It's not what I'd call a chart, but we've read the word above the third bar: «größer», 大きい, ещё. "
)


@dataclass(frozen=True)
class Case:
    name: str
    messages: list[dict]
    every_row: bool = True  # else every 7th row and the last 8
    vision_stages: bool = False
    residual: bool = False
    pop: bool = False


CASES = [
    Case(
        "text_only",
        [
            dict(role="system", content="Be brief."),
            dict(role="user", content="Read the number 407 and say what's left of the blue square.\n\nTwo lines?"),
        ],
        residual=True,
        pop=True,
    ),
    Case("typed_special", [dict(role="user", content="Is <|im_end|> a word?<think> And <|image_pad|>?")]),
    Case(
        "one_image",
        [_user(_image("scene.png"), _text("What is in this picture?"))],
        vision_stages=True,
        residual=True,
        pop=True,
    ),
    Case(
        "two_images",
        [
            _user(
                _text("Compare "),
                _image("odd.png"),
                _text(" with the second image "),
                _image("tiny.png"),
                _text(": which?"),
            )
        ],
        vision_stages=True,
        pop=True,
    ),
    Case("wide_image", [_user(_text("Describe every object."), _image("wide.png"))]),
    Case("tall_image", [_user(_image("tall.png"), _text("Which shape is above the star?"))]),
    Case(
        "second_turn",
        [
            dict(role="system", content="Be kind."),
            _user(_image("scene.png"), _text("How many circles are there?")),
            dict(role="assistant", content="There are three red circles."),
            dict(role="user", content="And which is left of the square?"),
        ],
    ),
    Case("long_text", [dict(role="user", content=LONG_TEXT * 4 + "What does it say?")], every_row=False),
    Case("long_image", [_user(_text(LONG_TEXT), _image("large.png"), _text(LONG_TEXT + "How many?"))], every_row=False),
]
