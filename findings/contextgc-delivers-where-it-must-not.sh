#!/bin/sh
# contextgc 0.4.6 (PyPI, CPython 3.11), which "compiles a transcript down to what is currently true" without a model. An
# address is the new one whatever is said of it: after "Do NOT reroute to 900 Pine Avenue!", or where somebody's sister
# lives, the register that the model reads says that this is the delivery address, and the turn with the true one is
# removed as superseded. With that turn goes all else that was said in it, of which its patterns know nothing: the
# buzzer that does not work, and that nobody may ring before ten.
# Source: the README, whose example this is, with its schema "logistics": "a deterministic context compiler", a turn
# goes once it "has been superseded for every fact it touched", "no retirement ever strands a value". Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "contextgc==0.4.6"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from contextgc import compile_messages, load_schema

FIRST = "Deliver order 1 to 402 Oak Street, Apt 5, Springfield, IL 62704. The buzzer is broken, ring nobody before ten."
for second in (
    "Do NOT reroute to 900 Pine Avenue, Suite 12, Chicago, IL 60601!",
    "My sister lives at 900 Pine Avenue, Chicago, IL 60601, never send anything there.",
    "When will it arrive?",
):
    messages = [
        {"role": "user", "content": FIRST},
        {"role": "assistant", "content": "Confirmed."},
        {"role": "user", "content": second},
        {"role": "user", "content": "Thanks."},
    ]
    compiled, telemetry = compile_messages(messages, schema=load_schema("logistics"))
    print(second)
    print("  is true:", telemetry["active_state_slots"])
    text = " ".join(message["content"] for message in compiled)
    print("  the model reads of Oak Street:", "Oak Street" in text, "and of the buzzer:", "buzzer" in text)
PY
cat >expected <<'TEXT'
Do NOT reroute to 900 Pine Avenue, Suite 12, Chicago, IL 60601!
  is true: {'delivery_address': '900 Pine Avenue, Suite 12, Chicago, IL 60601'}
  the model reads of Oak Street: False and of the buzzer: False
My sister lives at 900 Pine Avenue, Chicago, IL 60601, never send anything there.
  is true: {'delivery_address': '900 Pine Avenue, Chicago, IL 60601'}
  the model reads of Oak Street: False and of the buzzer: False
When will it arrive?
  is true: {'delivery_address': '402 Oak Street, Apt 5, Springfield, IL 62704'}
  the model reads of Oak Street: True and of the buzzer: True
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
