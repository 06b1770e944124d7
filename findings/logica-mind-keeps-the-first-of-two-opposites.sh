#!/bin/sh
# logica-mind 0.4.17 (PyPI, CPython 3.11), a memory for agents without dependencies, as installed. remember() takes a sentence
# of nearly the same words for one that it knows, whatever their order: after "I am allergic to peanuts", "I am not
# allergic to peanuts" is kept nowhere. "My exam is on 5 May" is lost beside the 3rd, "Ben beat Anna" beside "Anna beat
# Ben", the way from York to Leeds beside the way from Leeds to York. remember() returns an empty list, as it does for
# what was said twice, and contradictions() has none. "The meeting is not cancelled" is kept: it depends on how
# many other words there are. forget_about("New York"), an erasure "GDPR-style", takes each memory that has both
# words somewhere: also "I have a new job in York".
# Source: the README ("dedup and conflict-resolution are automatic"), remember and forget_about in core.py of the wheel
# ("so "ana" never erases "banana""). Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "logica-mind==0.4.17"
cd "$folder"
HOME="$folder" venv/bin/python - <<'PY'
from logica_mind import LogicaMind

PAIRS = (
    ("I am allergic to peanuts", "I am not allergic to peanuts", False),
    ("My exam is on 3 May", "My exam is on 5 May", False),
    ("Anna beat Ben at chess", "Ben beat Anna at chess", False),
    ("I moved from Leeds to York", "I moved from York to Leeds", False),
    ("The meeting is cancelled", "The meeting is not cancelled", True),
    ("I like tea", "I don't like tea", True),
)


def texts(mind):
    """Return what a memory keeps."""
    return {memory["content"] for memory in mind.export()}


for number, (first, second, kept) in enumerate(PAIRS):
    mind = LogicaMind(namespace=f"member{number}")
    mind.remember(first)
    told = [memory.content for memory in mind.remember(second)]
    print(f"{first} / {second}: {'kept' if second in texts(mind) else 'lost'}, returned {told}")
    if texts(mind) != ({first, second} if kept else {first}) or mind.contradictions():
        raise SystemExit("the behaviour has changed")
    if told != ([second] if kept else []):
        raise SystemExit("a loss is told now")
mind = LogicaMind(namespace="travels")
for fact in ("I would like to visit New York", "I have a new job in York", "Kim lives in York"):
    mind.remember(fact)
removed = mind.forget_about("New York")
print("forget_about('New York') removes", removed, "and leaves", sorted(texts(mind)))
if removed != 2 or texts(mind) != {"Kim lives in York"}:
    raise SystemExit("the erasure has changed")
PY
