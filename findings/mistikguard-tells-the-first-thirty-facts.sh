#!/bin/sh
# mistikguard 0.1.1 (PyPI, CPython 3.11), a memory for companions that promises "trustworthy memory". Of what a person
# confirmed, the prompt has the thirty oldest facts: what they say after that is stored and never told. A guess of
# the model's, as the 61st fact, deletes the oldest one, confirmed or not. With "User lives in Berlin" confirmed, "User's
# sister lives in Rome" is refused as a contradiction, and with "User doesn't like tea", "User leads a team"; New York and
# New Orleans are no contradiction, since one word is compared. For a companion called Ann each fact with "ann" in it that
# does not say "user", such as "Likes planning trips", is noise about herself. "I hope you have a nice evening!" is reported
# as a fabricated memory, and "You told me that you moved to Madrid" is grounded in "User moved to Berlin".
# Source: add_fact and get_context in mistikguard/long_memory.py, memory_gate.py and memory_audit.py of the wheel;
# the docstring of add_fact calls confirmed facts "trusted, durable". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "mistikguard==0.1.1"
cd "$folder"
venv/bin/python - <<'PY'
from mistikguard.long_memory import LongTermMemory
from mistikguard.memory_audit import audit_reply
from mistikguard.memory_gate import GateConfig, gate_fact

memory = LongTermMemory("memory.json")
for number in range(1, 61):
    memory.remember_fact(f"User owns book {number:02}")
told = [number for number in range(1, 61) if f"book {number:02}" in memory.get_context()]
seen = {"books in the prompt": (told[0], told[-1], len(told))}
memory.add_fact("User may like rain")
seen["first book after a guess"] = memory.fact_texts()[0]

BERLIN, NO_TEA, YORK = "User lives in Berlin", "User doesn't like tea", "User lives in New York"
for fact, confirmed in {
    "User's sister lives in Rome": BERLIN,
    "User leads a team": NO_TEA,
    "User lives in New Orleans": YORK,
}.items():
    seen[f"{confirmed}; {fact}"] = gate_fact(fact, [confirmed])[1].split(":")[0]
seen["Likes planning trips"] = gate_fact("Likes planning trips", [], GateConfig("Ann"))[1]
for reply in ("I hope you have a nice evening!", "You told me that you moved to Madrid."):
    seen[reply] = [claim["sentence"] for claim in audit_reply(reply, ["User moved to Berlin"], [])]
for what, result in seen.items():
    print(f"{what}: {result}")
expected = {
    "books in the prompt": (1, 30, 30),
    "first book after a guess": "User owns book 02",
    f"{BERLIN}; User's sister lives in Rome": "contradicts confirmed",
    f"{NO_TEA}; User leads a team": "contradicts confirmed",
    f"{YORK}; User lives in New Orleans": "ok",
    "Likes planning trips": "noise/self-narration",
    "I hope you have a nice evening!": ["I hope you have a nice evening!"],
    "You told me that you moved to Madrid.": [],
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
