#!/bin/sh
# mneme-llm 0.1.0 (PyPI, CPython 3.11), a memory for companions in one file. Besides notes it keeps a profile card, which
# a model writes from them and which stands in each prompt. The tool "forget" and purge(), which erases "for good",
# leave the card as it is: a forgotten allergy is still told to the model, though no note and no recall has it.
# Who has the card written anew, as the README advises for each day, is rid of it only while another note is left. After
# the last one, reflect() asks no model, returns None, and the card stays in each prompt, until erase() of the person.
# Source: the README's chapters "Using it from any model" (the card) and "Safety and privacy" (forget, purge, erase);
# areflect in mneme_llm/__init__.py of the wheel, which returns before set_profile. A stand-in writes the card, so that
# no model is needed. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "mneme-llm==0.1.0"
cd "$folder"
venv/bin/python - <<'PY'
from mneme_llm import Mneme
from mneme_llm.tools import Toolbox

ANNA = "discord:1"


def model(system, user):
    """Write what the notes say, as a good model would."""
    facts = [fact for fact in ("allergic to mangoes", "plays the cello") if fact in system]
    return "Anna: " + ", ".join(facts)


def states():
    """Return what the next prompt says of Anna, as words that matter."""
    prompt = memory.prompt(ANNA, query="What do you know about me?", user_name="Anna")
    return [word for word in ("mangoes", "cello") if word in prompt]


memory = Mneme("anna.db", space="bot", complete=model, luna=False, embed=False, display_language="en")
tools = Toolbox(memory, subject=ANNA)
tools.call("remember", {"text": "is allergic to mangoes", "kind": "fact", "key": "user.allergy", "importance": 5})
tools.call("remember", {"text": "plays the cello", "kind": "fact", "key": "user.music", "importance": 5})
memory.reflect(ANNA, user_name="Anna")
seen = [("at first", "", states())]
answer = tools.call("forget", {"key": "user.allergy"})
seen.append(("the allergy forgotten", answer, states()))
seen.append(("and purged", f"{memory.purge(ANNA)} note", states()))
seen.append(("recalled then", [item.note.text for item in memory.recall(ANNA, "mangoes").chosen], states()))
seen.append(("the card anew", memory.reflect(ANNA, user_name="Anna"), states()))
answer = tools.call("forget", {"key": "user.music"})
memory.purge(ANNA)
seen.append(("the last one forgotten", answer, states()))
seen.append(("the card anew", memory.reflect(ANNA, user_name="Anna"), states()))
seen.append(("the person erased", f"{memory.erase(ANNA)} notes", states()))
for what, answer, told in seen:
    print(f"{what}: {answer!r}; the next prompt has {told}")
expected = [
    ("at first", "", ["mangoes", "cello"]),
    ("the allergy forgotten", "Forgot 1 note.", ["mangoes", "cello"]),
    ("and purged", "1 note", ["mangoes", "cello"]),
    ("recalled then", ["plays the cello"], ["mangoes", "cello"]),
    ("the card anew", "Anna: plays the cello", ["cello"]),
    ("the last one forgotten", "Forgot 1 note.", ["cello"]),
    ("the card anew", None, ["cello"]),
    ("the person erased", "0 notes", []),
]
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
