#!/bin/sh
# discord-markdown 0.4.0 (PyPI, CPython 3.11), which turns messages of Discord into HTML, "to render some Discord chat logs".
# A single underscore or star without a partner ends the message: of "the list is in party_list, not in the old one" there is
# "the list is in party", without a word that something is missing. Of bold words around italic ones only what follows the
# italic is left: "not at six" is lost. A mention's closing bracket is a quotation: what Ben is asked becomes a quotation, and his
# number is left open. A backslash escapes nothing, and each call prints its tokens.
# Source: its README ("a simplified version"; "convert a discord message"), which names Discord's "Markdown Text 101" (a
# backslash in front of markup shows it; styles may be combined). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discord-markdown==0.4.0"
cd "$folder"
cat >convert.py <<'PY'
import contextlib
import io

from discord_markdown.discord_markdown import convert_to_html

for text in (
    "the list is in party_list, not in the old one",
    "2 * 3 pizzas are ordered",
    "**come at seven, *not at six*, please**",
    "<@31> can you bring the cake?",
    "\\*by the way\\*",
):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        html = convert_to_html(text)
    print(f"{text} -> {html}")
print("printed:", printed.getvalue()[:28])
PY
venv/bin/python convert.py >seen
cat seen
cat >expected <<'TEXT'
the list is in party_list, not in the old one -> <p>the list is in party</p>
2 * 3 pizzas are ordered -> <p>2 </p>
**come at seven, *not at six*, please** -> <p><b>, please</b></p>
<@31> can you bring the cake? -> <p><@31</p>
\*by the way\* -> <p>\<i>by the way\</i></p>
printed: [Token(type='TEXT', value='\
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
