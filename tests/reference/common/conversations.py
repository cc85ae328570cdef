"""The conversations of the golden cases. Families differ only in the special tokens that somebody types."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    name: str
    messages: list[dict]
    row_step: int = 1  # logits are stored of every row_step-th row and of the last 8
    vision_stages: bool = False
    residual: bool = False
    pop: bool = False


LONG_TEXT = (
    "The prefill reads the prompt and writes keys and values; the decode stage then writes the answer. "
    "There are 12 red circles, 7 blue squares and 1,305 green stars in picture number 4. "
    "It's not what I'd call a chart, but we've read the word above the third bar: «größer», 大きい, ещё. "
)


def image(name: str) -> dict:
    return dict(type="image", image=name)


def text(content: str) -> dict:
    return dict(type="text", text=content)


def user(*parts: dict) -> dict:
    return dict(role="user", content=list(parts))


def parts(message: dict) -> list[dict]:
    content = message["content"]
    return [text(content)] if isinstance(content, str) else content


def text_only(**options) -> Case:
    question = "Read the number 407 and say what's left of the blue square.\n\nTwo lines?"
    messages = [dict(role="system", content="Be brief."), dict(role="user", content=question)]
    return Case("text_only", messages, pop=True, **options)


def typed_special(content: str, **options) -> Case:
    return Case("typed_special", [dict(role="user", content=content)], **options)


def text_second_turn(**options) -> Case:
    messages = [
        dict(role="system", content="Be kind."),
        dict(role="user", content="How many circles are there?"),
        dict(role="assistant", content="There are three red circles."),
        dict(role="user", content="And which is left of the square?"),
    ]
    return Case("second_turn", messages, **options)


def long_text(**options) -> Case:
    return Case("long_text", [dict(role="user", content=LONG_TEXT * 4 + "What does it say?")], **options)


def one_image(**options) -> Case:
    return Case("one_image", [user(image("scene.png"), text("What is in this picture?"))], pop=True, **options)


def two_images(**options) -> Case:
    content = [text("Compare "), image("odd.png"), text(" with the second image "), image("tiny.png"), text(": which?")]
    return Case("two_images", [user(*content)], pop=True, **options)


def wide_image(**options) -> Case:
    return Case("wide_image", [user(text("Describe every object."), image("wide.png"))], **options)


def tall_image(**options) -> Case:
    return Case("tall_image", [user(image("tall.png"), text("Which shape is above the star?"))], **options)


def second_turn(**options) -> Case:
    messages = [
        dict(role="system", content="Be kind."),
        user(image("scene.png"), text("How many circles are there?")),
        dict(role="assistant", content="There are three red circles."),
        dict(role="user", content="And which is left of the square?"),
    ]
    return Case("second_turn", messages, **options)


def long_image(**options) -> Case:
    content = [text(LONG_TEXT), image("large.png"), text(LONG_TEXT + "How many?")]
    return Case("long_image", [user(*content)], **options)
