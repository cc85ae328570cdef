"""What may change while the training runs: when it ends, how long it decays, what it draws.

`RUN/schedule.json` (any of `steps`, `decay`, `mix`) is read after every step, so that a decay or
larger pictures need no restart. One process reads it for all.
"""

import json
from pathlib import Path

from mixes import MIXES

FILE_NAME = "schedule.json"
FINAL_FACTOR = 0.02


class Schedule:
    """Numbers in memory that the training processes share."""

    def __init__(self, context, steps: int, decay: int, mix: str, first_step: int, warm_up: int):
        self.numbers = context.Array("q", [steps, decay, list(MIXES).index(mix)])
        self.first_step, self.warm_up = first_step, warm_up

    @property
    def steps(self) -> int:
        return self.numbers[0]

    @property
    def decay(self) -> int:
        return self.numbers[1]

    @property
    def mix(self) -> str:
        return list(MIXES)[self.numbers[2]]

    def read(self, folder: Path) -> None:
        """Takes over what the file says; a file that cannot be read changes nothing."""
        try:
            wanted = json.loads((folder / FILE_NAME).read_text())
            steps, decay = int(wanted.get("steps", self.steps)), int(wanted.get("decay", self.decay))
            mix = list(MIXES).index(wanted.get("mix", self.mix))
        except (OSError, ValueError, AttributeError):
            return
        self.numbers[:] = [steps, decay, mix]

    def factor(self, step: int) -> float:
        """Of the learning rate: warm-up, constant, then linear over the last `decay` steps."""
        warm = min(1.0, (step - self.first_step + 1) / max(1, self.warm_up))
        left = self.steps - step
        if not self.decay:
            return warm
        return warm * min(1.0, FINAL_FACTOR + (1 - FINAL_FACTOR) * left / self.decay)

    def decay_begins_at(self, step: int) -> bool:
        return self.decay > 0 and step == self.steps - self.decay
