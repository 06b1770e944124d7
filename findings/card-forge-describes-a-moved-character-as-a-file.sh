#!/bin/sh
# card-forge 0.4.0 with Pillow 13.0.0, pydantic 2.12.5 and PyYAML 6.0.3 (PyPI, CPython 3.11), which takes character
# cards apart into "version-control friendly" files and builds them again. Each field that went into a file is
# remembered as the path of that file from where the command ran. Built under another name, from within the folder or
# as ./Nora, the character gets the path in place of the words: "Nora/data/description.md" is who she is and how she
# greets, and the program says "rebuilt successfully" and that the card is valid. With a lorebook or a second greeting
# the build fails. Blanks at the end of a line, a line break in Markdown, stay in a description and are taken out of a
# lorebook.
# Source: the README ("Rebuild: reconstruct cards from repositories with data integrity validation"); rebuild_card and
# str_presenter in forge/helper.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "card-forge==0.4.0" "pillow==13.0.0" "pydantic==2.12.5" "pyyaml==6.0.3"
cd "$folder"
venv/bin/python - <<'PY'
import json


def card(name, **more):
    """Write a V3 card."""
    texts = ("personality", "scenario", "mes_example", "system_prompt", "post_history_instructions", "creator_notes")
    data = dict.fromkeys((*texts, "creator", "character_version"), "") | {"name": name, "first_mes": "Welcome!"}
    data |= {"description": f"{name} keeps the inn.  \nShe is kind.", "tags": [], "extensions": {}}
    data |= {"alternate_greetings": [], "group_only_greetings": []} | more
    with open(f"{name.lower()}.json", "w") as file:
        json.dump({"spec": "chara_card_v3", "spec_version": "3.0", "data": data}, file)


entry = {"keys": ["inn"], "content": "It is old.  \nIt is big.", "insertion_order": 1, "extensions": {}, "enabled": True}
card("Nora")
card("Ida", character_book={"extensions": {}, "entries": [entry | {"use_regex": False}]})
PY
venv/bin/card-forge repo nora.json >program.log
venv/bin/card-forge repo ida.json >>program.log
cp -r Nora Moved
build() { # build FOLDER, and say what became of it
    venv/bin/card-forge build "$1" -o built >build.log 2>&1 || true
    venv/bin/python - "$1" <<'PY' | tee -a seen
import json
import pathlib
import sys

file = pathlib.Path("built.json")
if file.exists():
    data = json.loads(file.read_text())["data"]
    file.unlink()
    book = [entry["content"] for entry in (data["character_book"] or {"entries": []})["entries"]]
    print(f"{sys.argv[1]}: {data['name']}, {data['description']!r}, {data['first_mes']!r}, {book}")
else:
    print(f"{sys.argv[1]}: not built")
PY
}
for way in Nora Moved ./Nora Ida ./Ida; do build "$way"; done
venv/bin/card-forge build Moved -o moved >build.log
venv/bin/card-forge validate moved.json 2>&1 | grep -io "is valid" | head -1 | sed "s/^/Moved: /" | tee -a seen
cat >expected <<'TEXT'
Nora: Nora, 'Nora keeps the inn.  \nShe is kind.', 'Welcome!', []
Moved: Nora, 'Nora/data/description.md', 'Nora/data/first_message.md', []
./Nora: Nora, 'Nora/data/description.md', 'Nora/data/first_message.md', []
Ida: Ida, 'Ida keeps the inn.  \nShe is kind.', 'Welcome!', ['It is old.\nIt is big.']
./Ida: not built
Moved: is valid
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
