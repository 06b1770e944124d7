#!/bin/sh
# telegram-markdown-entities 0.1.1 (PyPI), which makes plain text and entities of what a model writes, for Telegram. Each
# pair of stars and underscores is taken away, whatever stands around it: of "5 * 3 and 2 * 4" stays "5  3 and 2  4", of
# "2*3*4" "234", of the name snake_case_name "snakecasename", and a link is another one: ".../a_b_c" leads to ".../abc",
# and one that ends in a bracket loses it. Bold that goes on in the next line is two italics of length 0.
# Source: its README: it is for "zero-surprise" text where "special characters stay as-is", and names "underscores in
# words/URLs" and links with brackets among what it saves people from. CommonMark 0.31.2, 6.2: a star with a blank on
# both sides and an underscore within a word are themselves. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "telegram-markdown-entities==0.1.1"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from telegram_markdown import parse_markdown_to_entities

for text in (
    "5 * 3 and 2 * 4",
    "2*3*4",
    "snake_case_name",
    "https://example.org/a_b_c",
    "[Tea](https://example.org/tea_(drink))",
    "I come **not before 7\nor 8**",
    "**7** or *8*",
):
    words, entities = parse_markdown_to_entities(text)
    print(repr(text), "->", repr(words), [(one["type"], one["length"], *one.get("url", "").split()) for one in entities])
PY
cat >expected <<'TEXT'
'5 * 3 and 2 * 4' -> '5  3 and 2  4' [('italic', 9)]
'2*3*4' -> '234' [('italic', 1)]
'snake_case_name' -> 'snakecasename' [('italic', 4)]
'https://example.org/a_b_c' -> 'https://example.org/abc' [('italic', 1)]
'[Tea](https://example.org/tea_(drink))' -> 'Tea)' [('text_link', 3, 'https://example.org/tea_(drink')]
'I come **not before 7\nor 8**' -> 'I come not before 7\nor 8' [('italic', 0), ('italic', 0)]
'**7** or *8*' -> '7 or 8' [('bold', 1), ('italic', 1)]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
