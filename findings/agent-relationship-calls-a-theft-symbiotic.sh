#!/bin/sh
# agent-relationship 0.2.2 as it is made without arguments, "zero config" (PyPI, CPython 3.11), which watches how agents get
# on. What happened is judged by some Chinese words and one English one, "conflict". Whatever else is said in English, and
# whatever the result, is a good deed: after ten thefts and lies that all failed Ida and Jon are "symbiotic" with a balance of
# 0.89, the risk is low, and they may go on together. Ten good deeds and a settled conflict are worse than that, and who in
# Chinese did not deceive is "conflictual" and critical from this one sentence, since the word for it is in it.
# Source: its README (Quick Start with an English narrative; "carol over-extracted resources" as what worsens a relationship;
# "Free-riding undetected" as what it prevents; "Mock - zero config"); MockLLM in agent_relationship/llm. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agent-relationship==0.2.2"
cd "$folder"
venv/bin/python - >seen <<'PY'
from agent_relationship import RelationshipTracker


def show(title, *stories, result="success"):
    """Print how two get on after what is told."""
    tracker = RelationshipTracker()
    for story in stories:
        state = tracker.track("ida", "jon", {"action": "exchange", "result": result, "narrative": story})
    go_on = tracker.can_cooperate("ida", "jon")["can"]
    print(f"{title}: balance {state.balance:.2f}, {state.relation_type}, risk {state.risk}, may go on: {go_on}")


show("helped", "Ida helped Jon to move house")
show("stole and lied ten times, failed", *["Ida stole from Jon and lied about it"] * 10, result="failure")
show("the README's free rider", *["carol over-extracted resources"] * 10)
show("helped ten times, then settled", *["Ida helped Jon"] * 10, "Ida settled the conflict with Jon's landlord")
show("did not deceive, in Chinese", "Ida 没有欺骗 Jon")
PY
cat seen
cat >expected <<'TEXT'
helped: balance 0.89, symbiotic, risk low, may go on: True
stole and lied ten times, failed: balance 0.89, symbiotic, risk low, may go on: True
the README's free rider: balance 0.89, symbiotic, risk low, may go on: True
helped ten times, then settled: balance 0.77, symbiotic, risk low, may go on: True
did not deceive, in Chinese: balance 0.00, conflictual, risk critical, may go on: False
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
