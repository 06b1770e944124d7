#!/bin/sh
# cleanllm 4.0.0 (PyPI, CPython 3.11), a cleaner of data for fine-tuning that is made for programs ("calibrated for code
# datasets"). Its "fix" takes the blanks from the beginning of each line, also within a block of code: of "for name in names:"
# with "greet(name)" in it, Python cannot compile what is left, a poem has no indents, and a list within a list is one list. A
# link takes the bracket and the full stop behind it: "Come (see http://example.org/rota)." is "Come (see". Rows are counted
# as written and modified, none as harmed, and its "validate" passes them.
# Source: its README: "Fix: remove URLs, normalize whitespace, redact forbidden patterns"; "calibrated for code datasets where
# very short responses are almost always errors". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "cleanllm==4.0.0"
cd "$folder"
venv/bin/python - <<'PY'
import json
import subprocess

ANSWERS = [
    "```python\nfor name in names:\n    greet(name)\n```",
    "- Things to bring:\n  - bread\n  - no nuts",
    "Come (see http://example.org/rota).",
]
with open("data.jsonl", "w") as file:
    for number, answer in enumerate(ANSWERS):
        messages = [{"role": "user", "content": "How?"}, {"role": "assistant", "content": answer}]
        file.write(json.dumps({"id": str(number), "messages": messages}) + "\n")


def run(*words):
    return subprocess.run(["venv/bin/cleanllm", *words], capture_output=True, text=True).returncode


assert run("fix", "data.jsonl", "-o", "clean.jsonl") == 0
assert run("validate", "clean.jsonl", "--schema", "basic_sft") == 0
seen = [json.loads(line)["messages"][1]["content"] for line in open("clean.jsonl")]
for answer, cleaned in zip(ANSWERS, seen, strict=True):
    print(f"{answer!r} -> {cleaned!r}")
for text in (ANSWERS[0], seen[0]):
    program = "\n".join(text.split("\n")[1:-1])
    try:
        compile(program, "program", "exec")
    except IndentationError as error:
        print("compiled:", error.msg)
    else:
        print("compiled")
        assert text == ANSWERS[0], "the behaviour has changed"
expected = [
    "```python\nfor name in names:\ngreet(name)\n```",
    "- Things to bring:\n- bread\n- no nuts",
    "Come (see",
]
assert seen == expected, "the behaviour has changed"
PY
