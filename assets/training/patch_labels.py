"""Labels of the 16x16 patches: which character, shape and colour each one shows.

The vision tower is taught to see before it is taught to answer: throw-away linear heads read these
labels off its soft tokens. They are part of the training only; no exported weight belongs to them.
"""

import numpy

from canvas import Box, Glyph
from palette import COLOUR_NAMES
from shapes import SHAPE_NAMES

PATCH_PX = 16
CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
IGNORED = -100

# kind -> number of classes; class 0 means "nothing of the kind here".
HEADS = {
    "character": 1 + len(CHARACTERS),
    "centre": 1 + len(CHARACTERS),
    "shape": 1 + len(SHAPE_NAMES),
    "colour": 1 + len(COLOUR_NAMES),
    "shape_centre": 1 + len(SHAPE_NAMES),
}


class PatchLabels:
    """Labels of one picture, `[rows, columns]` for each head, filled while it is drawn."""

    def __init__(self, width: int, height: int):
        self.rows, self.columns = height // PATCH_PX, width // PATCH_PX
        shape = (self.rows, self.columns)
        self.labels = {kind: numpy.zeros(shape, dtype=numpy.int64) for kind in HEADS}
        self._coverage = numpy.zeros(shape, dtype=numpy.float32)

    def _overlaps(self, box: Box):
        """Yields (row, column, share of the patch covered by the box)."""
        x1, y1, x2, y2 = box
        for row in range(max(0, int(y1) // PATCH_PX), min(self.rows, -(-int(y2) // PATCH_PX))):
            high = min(y2, (row + 1) * PATCH_PX) - max(y1, row * PATCH_PX)
            for column in range(
                max(0, int(x1) // PATCH_PX), min(self.columns, -(-int(x2) // PATCH_PX))
            ):
                wide = min(x2, (column + 1) * PATCH_PX) - max(x1, column * PATCH_PX)
                if high > 0 and wide > 0:
                    yield row, column, high * wide / PATCH_PX**2

    def _cell(self, box: Box) -> tuple[int, int]:
        row = int((box[1] + box[3]) / 2) // PATCH_PX
        column = int((box[0] + box[2]) / 2) // PATCH_PX
        return min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)

    def add_glyphs(self, glyphs: list[Glyph]) -> None:
        """Marks characters: by the largest overlap, and at the patch of each centre."""
        for glyph in glyphs:
            if glyph.character not in CHARACTERS:
                continue
            label = 1 + CHARACTERS.index(glyph.character)
            for row, column, share in self._overlaps(glyph.box):
                old = self._coverage[row, column]
                if share < 0.15 and old == 0:
                    self.labels["character"][row, column] = IGNORED
                elif share > old:
                    close = old > 0.6 * share
                    self.labels["character"][row, column] = IGNORED if close else label
                    self._coverage[row, column] = share
                elif share > 0.6 * old:
                    self.labels["character"][row, column] = IGNORED
            row, column = self._cell(glyph.box)
            taken = self.labels["centre"][row, column] != 0
            self.labels["centre"][row, column] = IGNORED if taken else label

    def add_shape(self, shape: str, colour: str, box: Box) -> None:
        """Marks the patches that a shape covers, and the one of its centre."""
        shape_label = 1 + SHAPE_NAMES.index(shape)
        colour_label = 1 + COLOUR_NAMES.index(colour)
        for row, column, share in self._overlaps(box):
            faint = share < 0.35
            self.labels["shape"][row, column] = IGNORED if faint else shape_label
            self.labels["colour"][row, column] = IGNORED if faint else colour_label
        self.labels["shape_centre"][self._cell(box)] = shape_label
        self.labels["colour"][self._cell(box)] = colour_label
