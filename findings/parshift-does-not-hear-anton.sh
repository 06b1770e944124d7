#!/bin/sh
# parshift 1.0.2 with pandas 3.1.1 (PyPI, CPython 3.11), which tells who takes the turn from whom in a group's talk. It writes
# each pair of turns as a sentence, "Anton to Ben, Ben to Anton", and reads it by cutting it at "to", in names as well. One
# and the same talk has thus other codes if one of its people is called Anton, Victor or Otto: who answers (AB-BA) has
# answered somebody else (AB-BY), who is asked back (A0-XA) speaks to another (A0-XY), and turns that were received count as
# usurped. With a comma in a name it is an IndexError. Where the one spoken to is named ("target_id"), it has to be a number,
# though "speaker_id" is text.
# Source: its documentation: "speaker_id: ID of the user sending the message (str)", "Participation shift codes"; _pshift_code
# in annotation.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "parshift==1.0.2" "pandas==3.1.1"
cd "$folder"
venv/bin/python -W ignore - <<'PY'
import io

from parshift import annotate, read_ccsv

TALK = """utterance_id,speaker_id,utterance,reply_to_id
1,{first},Who comes?,
2,{second},I do,1
3,{first},Good,2
4,Kim,And I,
5,{first},Fine,4
"""


def codes(first, second):
    """Return the codes of a talk between people of these names and Kim."""
    return list(annotate(read_ccsv(io.StringIO(TALK.format(first=first, second=second))))["pshift"])[1:]


seen = {(first, second): codes(first, second) for first, second in (("Ada", "Ben"), ("Anton", "Ben"), ("Ada", "Victor"))}
for names, found in seen.items():
    print(*names, found)
try:
    annotate(read_ccsv(io.StringIO("utterance_id,speaker_id,utterance,target_id\n1,Ada,Hi,\n2,Ben,Hello,Ada\n")))
except ValueError as error:
    print("a named target:", error)
else:
    raise SystemExit("the behaviour has changed")
expected = [
    ["A0-XA", "AB-BA", "AB-X0", "A0-XA"],
    ["AB-XA", "AB-BY", "AB-X0", "A0-XY"],
    ["A0-XY", "AB-XA", "AB-X0", "A0-XA"],
]
if list(seen.values()) != expected:
    raise SystemExit("the behaviour has changed")
PY
