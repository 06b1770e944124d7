#!/bin/sh
# memory-molecule 0.1.0 (PyPI, CPython 3.11), a memory of agents in Markdown files, by type and importance. store() makes the folder of
# the type and then writes every type into "sessions": "decisions", "patterns" and "knowledge" stay empty, so that of the second
# tier ("recent sessions, decisions") a decision falls out after three sessions. The importance is written and, when
# memories fade, not read: a hard constraint, which after sixty days should stand at 0.21, is archived on the same day as a passing
# note. What was archived is recalled as before. Files are sorted by name, where "_10" stands before "_9": the "latest context",
# which is always loaded, is on a day with twelve notes the tenth.
# Source: its README ("hard_constraint decays 2x slower, tactical decays 1.5x faster", tier 2: "Recent sessions, decisions", tier 1:
# "latest context"); store() and decay() in molecule.py, load_tier1() and load_tier2() in loader.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "memory-molecule==0.1.0" "pydantic==2.12.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
import os
import time
from pathlib import Path

from memory_molecule import MemoryConfig, MemoryLoader, MemoryMolecule


def vault(name):
    config = MemoryConfig(vault_path=name, project="p", observation_url="http://127.0.0.1:9/")
    return MemoryMolecule(config), MemoryLoader(config)


memory, loader = vault("decisions")
memory.store("We meet on Thursdays.", memory_type="decision", importance="hard_constraint")
print("in tier 2:", "Thursdays" in loader.load_tier2()["content"])
for talk in ("tea", "cake", "rain"):
    memory.store(f"We spoke of {talk}.")
print("in tier 2 after three talks:", "Thursdays" in loader.load_tier2()["content"])
print("files:", {folder.name: len(list(folder.iterdir())) for folder in sorted(Path("decisions/p").iterdir())})

memory, loader = vault("importance")
for importance, text in (("hard_constraint", "Eva must never get nuts."), ("tactical", "Eva waits for the bus.")):
    path = memory.store(text, memory_type="knowledge", importance=importance)
    os.utime(path, (time.time() - 60 * 86400,) * 2)
print("archived of two after sixty days:", memory.decay().archived_count)
print("recalled:", [Path(found["path"]).parts[1] for found in memory.recall("nuts")])

memory, loader = vault("day")
for number in range(1, 13):
    memory.store(f"This is note {number}.")
print("latest of twelve:", loader.load_tier1()["content"].split("\n\n")[1].splitlines()[0])
PY
cat seen
cat >expected <<'TEXT'
in tier 2: True
in tier 2 after three talks: False
files: {'decisions': 0, 'sessions': 4}
archived of two after sixty days: 2
recalled: ['archive']
latest of twelve: This is note 10.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
