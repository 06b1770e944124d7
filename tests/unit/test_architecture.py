"""The layers are checked by import-linter (pyproject.toml); this checks what it cannot see."""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAX_MODULES = 18  # in a folder: about as many as a reader can survey
MODULES = [
    ROOT / "bot.py",
    *(
        file
        for top in ("benchmarks", "cogs", "docs", "utils")
        for file in (ROOT / top).rglob("*.py")
    ),
]


def test_a_folder_is_one_concept():
    count = Counter(file.parent for file in MODULES if file.name != "__init__.py")
    assert len(count) > 40
    assert {folder: n for folder, n in count.items() if n > MAX_MODULES} == {}
