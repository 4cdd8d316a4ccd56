"""A process that labels at random, one action for each line it is sent; run by test_faults.

Every action makes exactly one batch of events, so a new process knows where to go on.
"""

import random
import sys
from pathlib import Path

from lapwing.label.history import Change
from lapwing.label.store import Store

ROWS = 40


def plan(seed: int, n: int) -> list[tuple[str, list[int]]]:
    """n actions that all change something: single labels, batches, undo and redo."""
    draw, undo, redo, found = random.Random(seed), 0, 0, []
    for _ in range(n):
        weights = [6, 1, 3 * bool(undo), 3 * bool(redo)]
        kind = draw.choices(["label", "batch", "undo", "redo"], weights)[0]
        if kind == "undo":
            undo, redo = undo - 1, redo + 1
        elif kind == "redo":
            undo, redo = undo + 1, redo - 1
        else:
            undo, redo = undo + 1, 0
        found.append((kind, draw.sample(range(ROWS), 7 if kind == "batch" else 1)))
    return found


def expected(actions) -> dict[str, int]:
    """The labels in the end, by plain lists."""
    states, place = [{}], 0
    for number, (kind, rows) in enumerate(actions):
        if kind == "undo":
            place -= 1
        elif kind == "redo":
            place += 1
        else:
            states = [*states[: place + 1], states[place] | {f"row{r}": number for r in rows}]
            place += 1
    return states[place]


def main(path: str, seed: int, n: int) -> None:
    store, actions = Store(Path(path)), plan(seed, n)
    sys.stdout.write(f"{len(store.history.batches)}\n")
    sys.stdout.flush()
    for number in range(len(store.history.batches), n):
        sys.stdin.readline()
        kind, rows = actions[number]
        if kind in ("undo", "redo"):
            getattr(store, kind)(annotator="chaos")
        else:
            store.append([Change("label", f"row{r}", number) for r in rows], annotator="chaos")
        sys.stdout.write(f"{number + 1}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
