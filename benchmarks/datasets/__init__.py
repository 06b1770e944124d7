"""Public evaluation data: the files of LoCoMo, RealMem and LongMemEval, read as dialogues."""

import json
from pathlib import Path

from benchmarks.datasets.dialogues import Dialogue
from benchmarks.datasets.locomo import read_locomo
from benchmarks.datasets.longmemeval import read_longmemeval
from benchmarks.datasets.realmem import read_realmem


def load(file: Path) -> tuple[str, list[Dialogue]]:
    """Return which format a file has, and its dialogues."""
    entries = json.loads(file.read_text(encoding="utf-8"))
    if entries and "memories" in entries[0]:
        return "realmem", [read_realmem(entry) for entry in entries]
    if entries and "msgs" in entries[0]:
        return "longmemeval", [read_longmemeval(entry) for entry in entries]
    return "locomo", [read_locomo(entry, number) for number, entry in enumerate(entries, 1)]
