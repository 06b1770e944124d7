#!/bin/sh
# contradiction-judge 0.1.0 (PyPI, CPython 3.9 or newer), "the memory auditor": it finds memories of a person that contradict each
# other and says which of two to "drop or correct", the older one. Any number after "I am" is an age: who is 20 and
# later "5 minutes late" or "100 percent sure" is told to drop that he is 20. Anybody's birthday is the person's own, so
# one's sister is a contradiction, and the same day written twice is one, since "May 5, 2006" is cut at its comma: "05-05"
# against "2006-05-05". "I'm from York" and "I live in Leeds" exclude each other, and so do "I live in Leeds" with and
# without Kim. What does contradict itself is not found: "I love pizza" and "I don't love pizza", "I eat meat"
# and "I don't eat meat".
# Source: the patterns in contradiction_judge/facts.py of the wheel, which calls itself "small and conservative"; the README:
# "date conflicts", and polarity conflicts such as "I love pizza" and "I hate pizza". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "contradiction-judge==0.1.0"
"$folder/venv/bin/python" - <<'PY'
from contradiction_judge import check_memories

PAIRS = {
    ("I am 20 years old.", "I am 5 minutes late."): "keep new, drop or correct old",
    ("I am 20 years old.", "I am 100 percent sure."): "keep new, drop or correct old",
    ("My birthday is May 5.", "My sister was born on 2009-01-02."): "keep new, drop or correct old",
    ("My birthday is May 5, 2006.", "I was born on 2006-05-05."): "keep new, drop or correct old",
    ("I'm from York.", "I live in Leeds."): "keep new, drop or correct old",
    ("I live in Leeds.", "I live in Leeds with Kim."): "keep new, drop or correct old",
    ("I love pizza.", "I don't love pizza."): "",
    ("I eat meat.", "I don't eat meat."): "",
    ("I love pizza.", "I hate pizza."): "keep new, drop or correct old",
}


def advice(old, new):
    """Return what is to be done about two memories, "" if they may both stand."""
    texts = {"old": (old, "2026-11-01T10:00:00"), "new": (new, "2026-11-28T10:00:00")}
    entries = [{"id": name, "text": text, "created_at": time} for name, (text, time) in texts.items()]
    found = check_memories(entries)["contradictions"]
    return found[0]["arbitration"]["recommendation"] if found else ""


seen = {pair: advice(*pair) for pair in PAIRS}
for (old, new), said in seen.items():
    print(f"{old} {new} -> {said or 'no contradiction'}")
if seen != PAIRS:
    raise SystemExit("the behaviour has changed")
PY
