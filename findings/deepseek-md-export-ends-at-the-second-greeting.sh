#!/bin/sh
# deepseek-json-to-markdown-converter 0.2.1 (PyPI, CPython 3.11), which makes Markdown of the talks that DeepSeek exports. Two
# talks of one day with one title, as DeepSeek gives them ("Greeting"), have one file. The second is taken for one that an
# earlier run has written: the export ends there, without it and without all that is left, and says "Completed. ... Failed:
# 0". With --force, all are written, and the second "Greeting" over the first. In some runs, "{title}" in what was said
# becomes the title, as the order of a set decides.
# Source: its README: "Without --force, when exporter detects an existing target file, it will stop the whole remaining export
# immediately", into an empty folder here; "high-fidelity Markdown files suitable for archival"; main.py,
# build_output_filepath. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "deepseek-json-to-markdown-converter==0.2.1"
cd "$folder"
echo '{content}' >template.md
python3 - <<'PY'
import json


def talk(title, minute, said):
    """Return a talk as DeepSeek exports it."""
    message = {"model": "deepseek-chat", "fragments": [{"type": "REQUEST", "content": said}]}
    nodes = {"root": {"id": "root", "parent": None, "children": ["1"], "message": None}}
    nodes["1"] = {"id": "1", "parent": "root", "children": [], "message": message}
    at = f"2026-11-30T10:{minute}:00.000000+08:00"
    return {"id": f"talk-{minute}", "title": title, "inserted_at": at, "updated_at": at, "mapping": nodes}


talks = [
    talk("Greeting", 10, "Hello, I am Ada."),
    talk("Greeting", 20, "Hello, I am Ben."),
    talk("Nuts", 30, "May I eat {title}?"),
    talk("Bread", 40, "And bread?"),
]
with open("conversations.json", "w") as file:
    json.dump(talks[::-1], file)
PY
for seed in 1 2; do
  for force in "" "--force"; do
    PYTHONHASHSEED=$seed venv/bin/deepseek-md-export -i conversations.json -o "out$seed$force" -t template.md $force >log
    echo "seed $seed $force: $(grep -c Detected log || true) stop, $(grep Success log), $(grep Failed log)"
    cat "out$seed$force"/*.md | grep -v -e '^$' -e '^#'
  done
done | tee seen
cat >expected <<'TEXT'
seed 1 : 1 stop, Success: 1, Failed:  0
Hello, I am Ada.
seed 1 --force: 0 stop, Success: 4, Failed:  0
And bread?
Hello, I am Ben.
May I eat Nuts?
seed 2 : 1 stop, Success: 1, Failed:  0
Hello, I am Ada.
seed 2 --force: 0 stop, Success: 4, Failed:  0
And bread?
Hello, I am Ben.
May I eat {title}?
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
