#!/bin/sh
# tavern-card 0.1.1, card-forge 0.4.0 (Pillow 13.0.0), aichar 1.0.5 (CPython 3.11), Tavern character cards in PNG.
# write_png_card(card, template) into a picture that already is a card keeps the old text beside the new one. Which of
# two texts named "chara" counts differs: tavern-card and card-forge read the last, SillyTavern the first, aichar fails
# to decode. Beside an old "ccv3" the edit is lost to tavern-card itself, which writes "chara" and prefers "ccv3";
# what it writes for a V3 card is also named "chara".
# Source: tavern_card/png.py of the wheel; src/character-card-parser.js of SillyTavern/SillyTavern (3fb83e47), which
# removes old texts before it writes and reads the first it finds. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "tavern-card==0.1.1" "card-forge==0.4.0" "aichar==1.0.5" "pillow==13.0.0"
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import contextlib
import io
import json
from pathlib import Path

import aichar
from forge.helper import embed_card_data, extract_card_data
from PIL import Image
from tavern_card.png import parse_png_card, write_png_card


def card(name, version):
    texts = ("description", "personality", "scenario", "first_mes", "mes_example", "creator_notes")
    more = ("system_prompt", "post_history_instructions", "creator", "character_version")
    lists = ("alternate_greetings", "tags", "group_only_greetings")
    fields = dict.fromkeys(texts + more, "") | {key: [] for key in lists} | {"extensions": {}}
    data = fields | {"name": name, "description": f"{name} is kind."}
    return {"spec": f"chara_card_v{version}", "spec_version": f"{version}.0", "data": data}


def names(png):
    """Return the names that the three readers find in a card."""
    Path("read.png").write_bytes(png)
    with contextlib.redirect_stdout(io.StringIO()):
        forge = extract_card_data("read.png").data.name
    try:
        decoded = aichar.load_character_card_file("read.png").name
    except ValueError as error:
        decoded = str(error)
    return {"tavern-card": parse_png_card(png)["data"]["name"], "card-forge": forge, "aichar": decoded}


edited = write_png_card(card("New", 2), write_png_card(card("Old", 2)))
print("texts named chara after an edit:", edited.count(b"tEXtchara"), names(edited))
assert edited.count(b"tEXtchara") == 2
found = names(edited)
assert found["tavern-card"] == found["card-forge"] == "New" and "base64" in found["aichar"]

Image.new("RGB", (2, 2)).save("plain.png")
with contextlib.redirect_stdout(io.StringIO()):
    embed_card_data(json.dumps(card("Old", 3)), "plain.png", "v3.png")
edited = write_png_card(card("New", 3), Path("v3.png").read_bytes())
read = parse_png_card(edited)["data"]["name"]
print("a V3 card edited by tavern-card, read again by tavern-card:", read)
assert read == "Old" and b"tEXtccv3" in edited and b"tEXtchara" in edited
PY
echo "seen: an edit by tavern-card leaves the old card in the picture, and readers disagree which one counts"
