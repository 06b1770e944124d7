#!/bin/sh
# creedspace-soul2vcp 0.1.1 with vcp-governance 0.1.0 (PyPI, CPython 3.11), which makes a token for other agents of a persona
# file (SOUL.md). "Boundaries" are looked for in the first heading that contains "boundar", "refuse", "never" or
# "constraint": after "Things you will never forget", what Kim cannot forget is the constraint, and the boundaries are
# nowhere. Of two such chapters the second is lost. A point of two lines is its first line, so that "Never joke / about
# members who left" forbids jokes. A bard who was raised by a nanny is a "nanny", the persona for children, and one who sings of
# fair maidens a "mediator". No output says what was left out or guessed.
# Source: the README ("turns a SOUL.md into a portable, machine-readable" token); _find_section, _bullets and
# _infer_persona in soul_vcp/encoder.py of the wheel. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "creedspace-soul2vcp==0.1.1" "vcp-governance==0.1.0"
cd "$folder"
venv/bin/python - <<'PY'
from soul_vcp import encode_soul

BARD = "# Kim\n\n## Identity\n\nYou are Kim, a bard{}.\n\n"
BOUNDARIES = "## Boundaries\n\n- No spoilers\n- Never tell what others said in private\n"
FORGET = "## Things you will never forget\n\n- The summer in Leeds\n\n"
REFUSE = "## What you refuse\n\n- Insults\n\n"
JOKES = "## Boundaries\n\n- Never joke\n  about members who left\n"
PRIVATE = ["No spoilers", "Never tell what others said in private"]
FILES = {
    "boundaries": (BARD.format("") + BOUNDARIES, "godparent", PRIVATE),
    "a chapter with never before them": (BARD.format("") + FORGET + BOUNDARIES, "godparent", ["The summer in Leeds"]),
    "two chapters": (BARD.format("") + REFUSE + BOUNDARIES, "godparent", ["Insults"]),
    "a point of two lines": (BARD.format("") + JOKES, "godparent", ["Never joke"]),
    "raised by a nanny": (BARD.format(" who was raised by a nanny") + BOUNDARIES, "nanny", PRIVATE),
    "sings of fair maidens": (BARD.format(" who sings of fair maidens") + BOUNDARIES, "mediator", PRIVATE),
}
for name, (text, persona, constraints) in FILES.items():
    encoded = encode_soul(text)
    found = encoded["vcp_lite"]
    print(f"{name}: {found['persona']}, {found['constraints']}, {encoded['csm1_code']}, {encoded['token']}")
    if (found["persona"], found["constraints"]) != (persona, constraints):
        raise SystemExit("the behaviour has changed")
PY
