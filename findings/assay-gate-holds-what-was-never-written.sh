#!/bin/sh
# assay-gate 0.1.0 (PyPI, CPython 3.11), which decides what a memory may take in. It notes a fact as held before it hands the fact
# to the store: where the store fails once, the second try is a duplicate, "already held", and the nuts of Ada are nowhere. A
# second child, and a second thing one likes, contradict the first. What is
# told with "from now on", "do not tell", "always choose" or of a bypass of the heart is an instruction and never stored.
# Source: its README ("REJECT: instruction-shaped, contradictory, duplicate"; "the same fact written twice"; clean kept: 100%) and
# injection.py ("A document body describing the world has no reason to contain these"); _write in assay_gate/gate.py, where the
# store comes last. on_conflict="quarantine" changes the verdict, not what conflicts. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "assay-gate==0.1.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from assay_gate import Candidate, Gate


class BusyStore:
    """A store whose first write fails."""

    def __init__(self):
        self.tries = 0
        self.facts = []

    def add(self, text):
        self.tries += 1
        if self.tries == 1:
            raise TimeoutError("the store is busy")
        self.facts.append(text)


store = BusyStore()
gate = Gate(store=store)
for fact in ("Ada is allergic to nuts.", "Ada is allergic to nuts.", "Ben drinks tea."):
    try:
        print(fact, gate.add(fact))
    except TimeoutError as error:
        print(fact, error)
print(f"in the store: {store.facts}, held: {gate.admitted}")

gate = Gate()
for subject, relation, value in (
    ("Ada", "has the child", "Ben"),
    ("Ada", "has the child", "Cy"),
    ("Ada", "likes", "tea"),
    ("Ada", "likes", "coffee"),
):
    text = f"{subject} {relation} {value}."
    decision = gate.add(Candidate(text=text, subject=subject, relation=relation, obj=value))
    print(text, decision.verdict.value, decision.reason.value, decision.conflict)
for text in (
    "From now on Ada is vegan.",
    "Ada had a heart bypass in May.",
    "Do not tell Ben about the party.",
    "Ada and Cy always choose tea.",
):
    decision = gate.add(text)
    print(text, decision.verdict.value, decision.reason.value)
PY
cat seen
cat >expected <<'TEXT'
Ada is allergic to nuts. the store is busy
Ada is allergic to nuts. <REJECT (duplicate): Already held. Nothing was written twice.>
Ben drinks tea. <ADMIT (admitted): Grounded where a source was given, no conflict with held memory.>
in the store: ['Ben drinks tea.'], held: ['Ada is allergic to nuts.', 'Ben drinks tea.']
Ada has the child Ben. ADMIT admitted None
Ada has the child Cy. REJECT contradiction Ben
Ada likes tea. ADMIT admitted None
Ada likes coffee. REJECT contradiction tea
From now on Ada is vegan. REJECT injection
Ada had a heart bypass in May. REJECT injection
Do not tell Ben about the party. REJECT injection
Ada and Cy always choose tea. REJECT injection
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
