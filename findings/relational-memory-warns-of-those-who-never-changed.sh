#!/bin/sh
# relational-memory 2.1.0 (PyPI, CPython 3.11), a memory for chat bots that keeps seven traits of how somebody talks with it
# and tells the model in its prompt when one has "shifted significantly". The traits begin at 0.5 and take a tenth of each
# talk; they are compared with the mean of the talks themselves. So who was the same from the first talk to the fifth, very
# informal (0.05) and very open (0.95), has shifted: "formality: shifted higher", "trust: shifted lower", which is the way to the
# middle and not how they talk. Who was distant for fifteen talks and is close in the next fifteen is never said to have
# changed, since the mean goes along. Of a talk of sixty lines the model gets the first few once more and the last twenty
# under the words "40 messages summarized"; more than half are gone. What the model finds no longer true of somebody,
# an empty list of patterns, leaves the old patterns standing.
# Source: relational_memory/drift.py, vector.py, truncation.py and sleep.py of the wheel; the README: "Patterns that are no
# longer supported by recent data get dropped". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "relational-memory==2.1.0"
cd "$folder"
venv/bin/python - 2>log <<'PY'
import contextlib
import io
import json
from pathlib import Path

from relational_memory.drift import detect_drift, format_drift_warning
from relational_memory.layers import LayerStore
from relational_memory.signals import save_signal_log
from relational_memory.sleep import MAX_SIGNAL_LOG_ENTRIES, condense, should_condense
from relational_memory.truncation import truncate_messages
from relational_memory.vector import DIMENSIONS, RelationalVector


def warnings(talks):
    """Return the warnings after each talk; a talk is what a model saw in it of the traits."""
    vector, log, seen = RelationalVector(), [], []
    for traits in talks:
        signals = {name: {"value": traits.get(name, 0.5)} for name in DIMENSIONS}
        vector.update(signals)
        log.append({"signals": signals})
        if should_condense(vector.session_count):
            log = log[-MAX_SIGNAL_LOG_ENTRIES:]
        seen.append(format_drift_warning(detect_drift(vector, log)))
    return seen


class Model:
    """A model that finds nothing of the old patterns in the talks."""

    def extract(self, system, user_prompt):
        return json.dumps({"base_tone": "Calm.", "patterns": "", "anchors": ""})


constant = warnings([{"formality": 0.05, "trust": 0.95}] * 5)[-1]
print(constant)
changed = warnings([{"trust": 0.1, "warmth": 0.1}] * 15 + [{"trust": 0.9, "warmth": 0.9}] * 15)
during = [warning for warning in changed[15:] if warning]
print("warnings while somebody becomes close:", len(during))
talk = [{"role": ("user", "assistant")[n % 2], "content": f"line {n}: " + "about bread " * 4} for n in range(60)]
told = json.dumps(truncate_messages(talk))
lost = [n for n in range(60) if f"line {n}:" not in told]
print("lines of sixty that the model does not get:", len(lost), "- summarized:", "40 messages summarized" in told)
layers = LayerStore(Path("layers"))
layers.write_patterns("- asks about the dog first")
save_signal_log({name: {"value": 0.5, "signal": "calm"} for name in DIMENSIONS}, Path("signals.json"))
with contextlib.redirect_stdout(io.StringIO()):
    condense(Path("signals.json"), layers, RelationalVector(), Model())
print("patterns after the model dropped them:", layers.read_patterns())
if (
    "- formality: shifted higher by 0.27 (baseline 0.05 -> current 0.32)" not in constant
    or "- trust: shifted lower by 0.27 (baseline 0.95 -> current 0.68)" not in constant
    or during
    or len(lost) < 30
    or layers.read_patterns() != "- asks about the dog first"
):
    raise SystemExit("the behaviour has changed")
PY
