#!/bin/sh
# aichar 1.0.5 (PyPI, a Rust wheel, CPython 3.8 or newer), Tavern character cards: a card of version 2, whose fields
# stand under "data", is loaded without an error as a character whose name and five texts are empty, from JSON and from PNG.
# Only writers that repeat the fields at the top, as SillyTavern does, are read. Of a version 1 card the
# description is lost on the way through "pygmalion" or "textgenerationwebui", and "aicompanion" gives the personality
# back as the summary.
# Source: Character Card Specification V2 (malfoyslastname/character-card-spec-v2): the fields of V1 moved into "data"; repeating
# them at the top is not asked for. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "aichar==1.0.5"
cd "$folder"
venv/bin/python - <<'PY'
import base64
import json
import struct
import zlib

import aichar

FIELDS = ("name", "summary", "personality", "scenario", "greeting_message", "example_messages")
V1 = {
    "name": "Mia",
    "description": "A pirate",
    "personality": "bold",
    "scenario": "A bar",
    "first_mes": "Ahoy",
    "mes_example": "<START>",
}
MORE = {
    "creator_notes": "",
    "system_prompt": "",
    "post_history_instructions": "",
    "alternate_greetings": [],
    "tags": [],
    "creator": "",
    "character_version": "1",
    "extensions": {},
}
V2 = {"spec": "chara_card_v2", "spec_version": "2.0", "data": V1 | MORE}


def chunk(kind, data):
    """Return a chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture(card):
    """Write a picture of one pixel that holds a card; returns its name."""
    text = b"chara\0" + base64.b64encode(json.dumps(card).encode())
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(bytes(4))
    chunks = chunk(b"IHDR", header) + chunk(b"tEXt", text) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
    with open("card.png", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunks)
    return "card.png"


def read(character):
    """Return a character's name and texts."""
    return [getattr(character, field) for field in FIELDS]


first = read(aichar.load_character_json(json.dumps(V1)))
second = read(aichar.load_character_json(json.dumps(V2)))
drawn = read(aichar.load_character_card_file(picture(V2)))
both = read(aichar.load_character_card_file(picture(V2 | V1)))
print("version 1:", first)
print("version 2, JSON:", second)
print("version 2, PNG:", drawn)
print("version 2, repeated at the top:", both)
mia = aichar.load_character_json(json.dumps(V1))
back = {
    form: read(aichar.load_character_json(mia.export_json(form)))[1:3]
    for form in ("tavernai", "pygmalion", "textgenerationwebui", "aicompanion")
}
print("summary and personality after", back)
assert first == both == list(V1.values()) and second == drawn == [""] * 6, "cards are read in another way"
assert back == {
    "tavernai": ["A pirate", "bold"],
    "pygmalion": ["", "bold"],
    "textgenerationwebui": ["", "bold"],
    "aicompanion": ["bold", ""],
}, "forms are written in another way"
PY
