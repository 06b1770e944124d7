#!/bin/sh
# citation-integrity-check 0.1.0 (PyPI, CPython 3.11), which checks that each sentence of an answer cites a source that
# supports it. A number behind the full stop, where most models and books put it, belongs to no sentence: "Ada never eats
# nuts. [1]" has "no_citation", though the number is found. So has the first half of each sentence with "Dr." or "e.g.". What
# it says of the source is words in common: "Ada always eats nuts [1]." and "Ben never eats nuts [1]." are supported by "Ada
# never eats nuts", while "No [1].", the shortest true answer, is not.
# Source: its README: "Verify answer citations refer to supplied source ids and that cited sources actually support the
# claims"; "It has no citation marker at all"; "a small built-in stopword list". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "citation-integrity-check==0.1.0"
cd "$folder"
venv/bin/python - <<'PY'
from citation_integrity_check import verify

SOURCES = [{"id": "1", "text": "Ada told us on Monday that she never eats nuts because she is allergic."}]
EXPECTED = {
    "Ada never eats nuts [1].": [],
    "Ada never eats nuts. [1]": ["no_citation"],
    "Ada never eats nuts.[1]": ["no_citation"],
    "Ada is allergic, e.g. to nuts [1].": ["no_citation", "no_citation"],
    "Dr. Ada never eats nuts [1].": ["no_citation"],
    "Ada always eats nuts [1].": [],
    "Ben never eats nuts [1].": [],
    "Does Ada eat nuts? No [1].": ["no_citation", "insufficient_overlap"],
}
seen = {answer: [claim.reason for claim in verify(answer, SOURCES).unsupported] for answer in EXPECTED}
for answer, reasons in seen.items():
    print(f"{answer} -> {reasons or 'ok'}")
if seen != EXPECTED:
    raise SystemExit("the behaviour has changed")
PY
