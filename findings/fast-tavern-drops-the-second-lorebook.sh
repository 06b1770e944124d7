#!/bin/sh
# fast-tavern 0.1.8 (PyPI, CPython 3.10 or newer), which makes prompts of a preset, a character card and lorebooks ("world
# books") of SillyTavern. An entry is told from others by its number alone, and each lorebook of SillyTavern numbers its
# entries from 0: of two lorebooks, the entries of the second whose numbers the first has used are never active, without a
# sign. The character's own lorebook comes after the global ones, so it is the one that goes silent. Entries of
# SillyTavern mean something else here in four more ways: a key "/c[ao]t/i" is no pattern but those very letters;
# "match whole words" is not kept to; secondary keys count although "selective" is off; a probability of 0 counts although
# "useProbability" is off.
# Source: fast_tavern/core/modules/worldbook/get_active_entries.py (by_index) of the package, whose README offers to take
# SillyTavern's files as they are; checkWorldInfo and WorldInfoBuffer in public/scripts/world-info.js of
# SillyTavern/SillyTavern. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "fast-tavern==0.1.8"
"$folder/venv/bin/python" - <<'PY'
from fast_tavern import convert_worldbook_from_silly_tavern, get_active_entries


def lorebook(name, **changes):
    """Return a lorebook of one entry as SillyTavern saves it."""
    entry = {
        "uid": 0,
        "key": ["cat"],
        "keysecondary": [],
        "comment": name,
        "content": f"What {name} says of cats.",
        "constant": False,
        "vectorized": False,
        "selective": True,
        "selectiveLogic": 0,
        "order": 100,
        "position": 0,
        "disable": False,
        "excludeRecursion": False,
        "preventRecursion": False,
        "probability": 100,
        "useProbability": True,
        "depth": 4,
        "caseSensitive": None,
        "matchWholeWords": None,
    }
    return convert_worldbook_from_silly_tavern({"name": name, "entries": {"0": entry | changes}})


def active(text, *books, own=None):
    """Return the names of the entries that stand in the prompt for a text."""
    entries = [entry for book in books for entry in book["entries"]]
    found = get_active_entries({"contextText": text, "globalEntries": entries, "characterWorldBook": own})
    return [entry["name"] for entry in found]


town, pets = lorebook("town"), lorebook("pets")
seen = {
    "each alone": [active("my cat", town), active("my cat", pets), active("my cat", own=pets)],
    "two global ones": active("my cat", town, pets),
    "a global one and the character's": active("my cat", town, own=pets),
    "a pattern": active("my cat", lorebook("town", key=["/c[ao]t/i"])),
    "whole words in 'concatenate'": active("concatenate", lorebook("town", matchWholeWords=True)),
    "not selective": active("my cat", lorebook("town", selective=False, keysecondary=["dog"])),
    "no probability": active("my cat", lorebook("town", probability=0, useProbability=False)),
}
for name, names in seen.items():
    print(f"{name}: {names}")
expected = {
    "each alone": [["town"], ["pets"], ["pets"]],
    "two global ones": ["town"],
    "a global one and the character's": ["town"],
    "a pattern": [],
    "whole words in 'concatenate'": ["town"],
    "not selective": [],
    "no probability": [],
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
