#!/bin/sh
# fademem 0.1.2 (PyPI, CPython 3.11), which ages the memories of agents in a JSONL file and moves the faded ones to an archive.
# The archive is written anew by each sweep: what faded on the first day is in no file after the second, and a sweep that
# finds nothing leaves an empty one. A memory with one of the separators that JSON allows within a string, as in
# words copied from a web page (U+2028), is one line when it is scored and two when it is moved, so the decisions slip:
# the faded memory stays, half of another is archived in its place, and the last memory of the file is gone, as nothing
# decides about it. The next sweep refuses the file. Deleting slips in the same way.
# Source: _replace_text_atomically(archive, ...) and read_text().splitlines() beside "for line in file" in fademem/jsonl.py of
# the wheel; its README, "Archive pruned records to a separate file", "safe mutation modes"; RFC 8259, 7: only quotation
# mark, backslash and U+0000 to U+001F must be escaped. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "fademem==0.1.2"
cd "$folder"
venv/bin/python - <<'PY' >seen
import json
import re
from pathlib import Path

from fademem.jsonl import archive_exponential_jsonl

DAY = 86_400_000
memories, archive = Path("memories.jsonl"), Path("archive.jsonl")


def write(*rows):
    """Write memories, each with its day."""
    records = [{"id": name, "last_accessed_ms": day * DAY, "text": text} for name, day, text in rows]
    memories.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def sweep(day):
    """Archive what was not used for two days, and show both files."""
    archive_exponential_jsonl(memories, archive, now=day * DAY, half_life_millis=2 * DAY, threshold=0.5)
    for path in (memories, archive):
        print(f"  {path}:", *re.findall(r'"id": ("[^"]*")', path.read_text()) or ["nothing whole"])


write(("tea", 0, "likes tea"), ("dog", 4, "has a dog"))
print("day 3")
sweep(3)
print("day 8")
sweep(8)
print("day 9, nothing to do")
write(("cat", 9, "has a cat"))
sweep(9)
print("a separator within a memory")
write(("poem", 9, "two\u2028lines"), ("old job", 0, "was a baker"), ("new job", 9, "is a tailor"), ("home", 9, "lives in York"))
sweep(10)
try:
    sweep(11)
except ValueError as error:
    print("the next sweep:", error)
PY
cat seen
cat >expected <<'TEXT'
day 3
  memories.jsonl: "dog"
  archive.jsonl: "tea"
day 8
  memories.jsonl: nothing whole
  archive.jsonl: "dog"
day 9, nothing to do
  memories.jsonl: "cat"
  archive.jsonl: nothing whole
a separator within a memory
  memories.jsonl: "poem" "old job" "new job"
  archive.jsonl: nothing whole
the next sweep: invalid JSONL memory record on line 1
TEXT
cmp seen expected
