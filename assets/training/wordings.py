"""The ways in which each question is put.

`[colour]` stands for either spelling; {…} are filled in. Every task has at least six wordings.
"""

import random

WORDINGS = {
    "colour": [
        "What [colour] is the {shape}?",
        "Which [colour] is the {shape}?",
        "Name the [colour] of the {shape}.",
        "What is the [colour] of the {shape}?",
        "Tell me the [colour] of the {shape}.",
        "The {shape} has which [colour]?",
        "In what [colour] is the {shape} drawn?",
    ],
    "shape": [
        "What shape is the {colour} object?",
        "Which shape is {colour}?",
        "What is {colour} here?",
        "Name the {colour} shape.",
        "What kind of shape is {colour}?",
        "Tell me the shape of the {colour} object.",
        "Which object is {colour}?",
    ],
    "count": [
        "How many shapes are there?",
        "How many shapes do you see?",
        "Count the shapes.",
        "What is the number of shapes?",
        "How many shapes are in the picture?",
        "Tell me how many shapes there are.",
        "How many shapes does the image show?",
    ],
    "count_objects": [
        "How many objects are there?",
        "How many objects do you see?",
        "Count the objects.",
        "How many things are in the picture?",
        "How many objects are in the image?",
        "What is the number of objects?",
    ],
    "count_colour": [
        "How many {colour} shapes are there?",
        "How many shapes are {colour}?",
        "Count the {colour} shapes.",
        "How many {colour} objects do you see?",
        "What is the number of {colour} shapes?",
        "Tell me how many shapes are {colour}.",
    ],
    "count_shape": [
        "How many {shapes} are there?",
        "How many {shapes} do you see?",
        "Count the {shapes}.",
        "What is the number of {shapes}?",
        "How many {shapes} are in the picture?",
        "Tell me how many {shapes} there are.",
    ],
    "place_x": [
        "Is {thing} in the left or the right half?",
        "Is {thing} on the left or on the right?",
        "On which side is {thing}, left or right?",
        "In which half is {thing}, left or right?",
        "Left or right: where is {thing}?",
        "Is {thing} on the left side or the right side of the picture?",
    ],
    "place_y": [
        "Is {thing} in the top or the bottom half?",
        "Is {thing} at the top or at the bottom?",
        "In which half is {thing}, top or bottom?",
        "Top or bottom: where is {thing}?",
        "Is {thing} near the top or near the bottom?",
        "Is {thing} in the top part or the bottom part of the picture?",
    ],
    "relation_x": [
        "Is {thing} left or right of {other}?",
        "Is {thing} to the left or to the right of {other}?",
        "Left or right of {other}: where is {thing}?",
        "On which side of {other} is {thing}, left or right?",
        "Where is {thing} from {other}, left or right?",
        "Does {thing} lie left or right of {other}?",
    ],
    "relation_y": [
        "Is {thing} above or below {other}?",
        "Above or below {other}: where is {thing}?",
        "Is {thing} higher or lower than {other}, above or below?",
        "Does {thing} lie above or below {other}?",
        "Where is {thing} from {other}, above or below?",
        "Tell me whether {thing} is above or below {other}.",
    ],
    "beside": [
        "What is {side} {other}?",
        "Which object is {side} {other}?",
        "What lies {side} {other}?",
        "Name the object {side} {other}.",
        "What do you see {side} {other}?",
        "Tell me what is {side} {other}.",
    ],
    "number": [
        "What number is written?",
        "Which number do you see?",
        "Read the number.",
        "What is the number?",
        "What number is shown?",
        "What number is in the picture?",
        "Tell me the number.",
    ],
    "word": [
        "What word is written?",
        "Which word do you see?",
        "Read the word.",
        "What is the word?",
        "What does the text say?",
        "What word is in the picture?",
        "Tell me the word.",
    ],
    "letter_first": [
        "What is the first letter of the word?",
        "Which letter does the word start with?",
        "What letter does the word begin with?",
        "Name the first letter of the word.",
        "The word starts with which letter?",
        "Tell me the first letter of the word.",
    ],
    "letter_last": [
        "What is the last letter of the word?",
        "Which letter does the word end with?",
        "What letter does the word end in?",
        "Name the last letter of the word.",
        "The word ends with which letter?",
        "Tell me the last letter of the word.",
    ],
    "find": [
        "Which word starts with {letter}?",
        "What word begins with {letter}?",
        "Find the word that starts with {letter}.",
        "Read the word that begins with {letter}.",
        "Name the word with the first letter {letter}.",
        "Tell me the word that starts with {letter}.",
    ],
    "chart_high": [
        "Which bar is the highest?",
        "Which bar is the longest?",
        "What is the highest bar?",
        "Which bar has the largest value?",
        "Name the highest bar.",
        "Which label has the biggest bar?",
        "Which value is the largest in the chart?",
    ],
    "chart_low": [
        "Which bar is the lowest?",
        "Which bar is the shortest?",
        "What is the lowest bar?",
        "Which bar has the smallest value?",
        "Name the lowest bar.",
        "Which label has the smallest bar?",
    ],
    "chart_value": [
        "What is the value of {label}?",
        "What value has {label}?",
        "Which value does the bar {label} have?",
        "How high is the bar {label}?",
        "Read the value of {label}.",
        "Tell me the value of {label}.",
    ],
    "chart_bars": [
        "How many bars are there?",
        "Count the bars.",
        "How many bars does the chart have?",
        "How many bars do you see?",
        "What is the number of bars?",
        "Tell me how many bars there are.",
    ],
    "describe": [
        "Describe every object in reading order.",
        "Describe the picture.",
        "List all objects in reading order.",
        "What do you see?",
        "Name everything in the picture from top to bottom.",
        "Describe this image.",
        "What is in the picture?",
        "List everything you see.",
    ],
    "chart_table": [
        "Write the chart as a markdown table.",
        "Turn the chart into a markdown table.",
        "Give the chart as a table.",
        "Write out the values of the chart as a table.",
        "Convert the chart to a markdown table.",
        "Make a markdown table of this chart.",
    ],
    "table": [
        "Write the table in markdown.",
        "Write this table as a markdown table.",
        "Turn the table into markdown.",
        "Give the table as markdown.",
        "Convert the table to markdown.",
        "Read the table and write it in markdown.",
    ],
    "boxes": [
        "Give the boxes of all shapes in json.",
        "Locate every shape, with boxes in json.",
        "Detect all shapes and output json boxes.",
        "Find all shapes and give their boxes in json.",
        "Where are the shapes? Answer with boxes in json.",
        "Output the box of every shape in json format.",
    ],
    "box": [
        "Give the box of {thing} in json.",
        "Locate {thing}, with its box in json.",
        "Detect {thing} and output its json box.",
        "Find {thing} and give its box in json.",
        "Where is {thing}? Answer with a box in json.",
        "Output the box of {thing} in json format.",
    ],
}

SIDES = {
    "left": ["left of", "to the left of", "on the left of"],
    "right": ["right of", "to the right of", "on the right of"],
    "above": ["above", "over"],
    "below": ["below", "under"],
}


def put(wording: str, rng: random.Random, **values: str) -> str:
    """One wording of a task filled in, now and then typed carelessly."""
    text = rng.choice(WORDINGS[wording]).replace("[colour]", rng.choice(("colour", "color")))
    text = text.format(**values)
    if rng.random() < 0.25:
        text = text.replace("grey", "gray")
    if rng.random() < 0.12:
        text = text[0].lower() + text[1:]
    if rng.random() < 0.08:
        text = text.rstrip("?.")
    if " json" in text and rng.random() < 0.5:
        text = text.replace("json", "JSON")
    if " markdown" in text and rng.random() < 0.5:
        text = text.replace("markdown", "Markdown")
    return text
