#!/bin/sh
# discord-markdown-py 0.13.0 (PyPI, a Rust wheel, CPython 3.8 or newer), a parser of Discord's Markdown. unparse(parse(text))
# is to give the Markdown back but for escapes, the sign of italics and that of lists. It loses line feeds: "Doors at 7"
# above "5 places left" becomes "Doors at 75 places left", a list of three has one entry, a line under a list or a heading
# becomes a part of it, and lines of a quote are one. What is read again is another message. A blank line is left as
# one line feed. parse_lossless() has every character.
# Source: unparse's docstring in the wheel, which names escapes, "_" and "*". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discord-markdown-py==0.13.0"
"$folder/venv/bin/python" - <<'PY'
import discord_markdown

EXPECTED = {
    "Doors at 7\n5 places left": "Doors at 75 places left",
    "- milk\n- eggs\n- tea": "* milkeggstea",
    "- milk\n- eggs\nBring bags": "* milkeggsBring bags",
    "# Friday\nWe meet at 7": "# FridayWe meet at 7",
    "5. stir\n6. bake": "5. stirbake",
    "> I am not\n> able to come": "> I am notable to come",
    "**Kim:\ncome in**": "**Kim:****come in**",
    "We meet at 7\n\nBring bags": "We meet at 7\nBring bags",
    "one line, **bold** and ||hidden||": "one line, **bold** and ||hidden||",
}
seen = {}
for text in EXPECTED:
    tree = discord_markdown.parse(text)
    seen[text] = discord_markdown.unparse(tree)
    same = discord_markdown.parse(seen[text]) == tree
    print(f"{text!r} -> {seen[text]!r}, {'the same' if same else 'another'} tree")
if seen != EXPECTED:
    raise SystemExit("the behaviour has changed")
PY
