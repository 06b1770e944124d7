#!/bin/sh
# pychatml 0.0.6 (PyPI, CPython 3.11), which converts chats "from and to the ChatML format", with anthropic 0.39.0 and
# Deprecated 1.3.1: with today's anthropic (2.14.0) it cannot be imported, and Deprecated is none of its requirements. To
# Llama 2, a chat that ends with an answer, as those for training do, gets that answer once more as a question of the user's.
# Back again, of what the user wrote in several lines only the last is left, of an answer what is after its first blank in the
# last line; from Anthropic's form only each first line. "I must not eat nuts. / May I have the cake?" "No. / It has almonds."
# is thus a question without its reason and "has almonds.", or "I must not eat nuts." "No." To Anthropic's, the system message
# is said by the assistant. To Vicuna's, a question that nobody has answered yet is left out. Alpaca's puts all questions
# together, and all answers.
# Source: its README; llama2_converter.py, anthropic_converter.py, vicuna_v1_1_converter.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "pychatml==0.0.6" "anthropic==0.39.0" "Deprecated==1.3.1"
cd "$folder"
venv/bin/python - <<'PY'
from pychatml.alpaca_converter import Alpaca
from pychatml.anthropic_converter import Anthropic
from pychatml.llama2_converter import Llama2
from pychatml.vicuna_v1_1_converter import Vicuna_v1_1

SAID = [("system", "Bake."), ("user", "I must not eat nuts.\nMay I have the cake?"), ("assistant", "No.\nIt has almonds.")]
NEXT = ("user", "And bread?")


def again(converter, said):
    """Return what is left of a chat that was converted and converted back."""
    chat = [{"role": role, "content": content} for role, content in said]
    read = converter.to_chatml(converter.from_chatml(chat))
    return [(message["role"], message["content"]) for message in read]


seen = {
    "Llama 2": again(Llama2(), SAID),
    "Anthropic": again(Anthropic(), SAID),
    "Vicuna, with a last question": again(Vicuna_v1_1(), [*SAID, NEXT]),
    "Alpaca, with a second turn": again(Alpaca(), [*SAID, NEXT, ("assistant", "Yes.")]),
}
for name, said in seen.items():
    print(f"{name}: {said}")
expected = [
    [SAID[0], ("user", "May I have the cake?"), ("assistant", "has almonds."), ("user", "It has almonds.")],
    [("assistant", "Bake."), ("user", "I must not eat nuts."), ("assistant", "No.")],
    SAID,
    [("user", "Bake."), ("user", f"{SAID[1][1]}\n{NEXT[1]}"), ("assistant", f"{SAID[2][1]}\nYes.")],
]
if list(seen.values()) != expected:
    raise SystemExit("the behaviour has changed")
PY
