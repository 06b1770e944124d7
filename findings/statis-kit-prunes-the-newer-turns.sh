#!/bin/sh
# statis-kit 0.1.1 (PyPI, CPython 3.11), which compresses conversations for models: the newest turns are kept, what is
# older is summarised, and what is older than prune_older_than_turns is dropped. The age is counted from the beginning,
# not from the end: the first turns are summarised, and those after them, which are newer, are dropped. Of a talk in
# which somebody moves from Oslo to Rome and then to Bern the summary has Oslo and Rome. "Rather", "instead" and
# "update" anywhere in a message drop the one before, as superseded: "I am allergic to nuts" goes with "I would rather
# sit outside". process(), the README's first call, ends with FileNotFoundError, as its table of prices is not in the
# wheel.
# Source: _classify and _mark_superseded in statis_kit/compressor.py, load_pricing in statis_kit/_pricing.py of the
# wheel; the README: "three-pass classify / summarize / prune, with configurable recency windows". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "statis-kit==0.1.1" "pyyaml==6.0.3"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from statis_kit import Compressor, CompressorConfig, messages_from_dicts, process


def talk(*said):
    """Return messages that are answered with "Fine"."""
    messages = [{"role": "system", "content": "You help."}]
    for words in said:
        messages += [{"role": "user", "content": words}, {"role": "assistant", "content": "Fine"}]
    return messages


def quoted(text):
    """Return what the user said, as a summary."""
    return "; ".join(line[8:] for line in text.splitlines() if line.startswith("[user]: "))


def compressed(said, **settings):
    """Print what is left of a talk."""
    settings = CompressorConfig(pin_top=1, recent_turns=1, **settings)
    compressor = Compressor(settings, summarizer=quoted)
    messages, _ = compressor.process(messages_from_dicts(talk(*said)))
    print(" | ".join(message.content for message in messages if message.content != "Fine"))


MOVES = ("I live in Oslo", "I like tea", "I moved to Rome", "I moved to Bern", "Where do I live?")
compressed(MOVES, prune_older_than_turns=2)
compressed(MOVES, prune_older_than_turns=20)
compressed(("I am allergic to nuts", "I would rather sit outside", "Where do we eat?"))
compressed(("I am allergic to nuts", "I would like to sit outside", "Where do we eat?"))
try:
    process(talk("Hello"))
except FileNotFoundError as error:
    print("process: FileNotFoundError,", error.filename.rpartition("/")[2])
PY
cat >expected <<'TEXT'
You help. | [Summary of turns 1-5]: I live in Oslo; I like tea; I moved to Rome | Where do I live?
You help. | [Summary of turns 1-8]: I live in Oslo; I like tea; I moved to Rome; I moved to Bern | Where do I live?
You help. | [Summary of turns 2-4]: I would rather sit outside | Where do we eat?
You help. | [Summary of turns 1-4]: I am allergic to nuts; I would like to sit outside | Where do we eat?
process: FileNotFoundError, pricing.yaml
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
