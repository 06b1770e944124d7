#!/bin/sh
# discord-markdown-ast-parser 1.0.6 (PyPI, CPython 3.11), which tells what a message on Discord is made of. A ">" in the middle of a line
# begins a quote: of "My weight is > 60 kg", "60 kg" is somebody else's. A quote that goes on to the end of the message (">>>") ends
# with its first line, so the rest of what Ben said is said by Ada. A time in Discord's form is an emoji called 1764349200.
# Stars behind backslashes are marks all the same, and file_name_old is in italics: the name loses its signs. Links are taken with the
# bracket behind them. Mentions, spoilers and code are told apart well.
# Source: its README: "Markdown Parser for Discord messages that creates an abstract syntax tree"; Discord's "Markdown Text 101": quotes
# begin with ">" "at the beginning of a line", and ">>>" quotes "multiple lines". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "discord-markdown-ast-parser==1.0.6"
cd "$folder"
venv/bin/python - <<'PY' >seen
from discord_markdown_ast_parser import parse_to_dict


def short(nodes):
    return [(node["node_type"], short(node["children"]) if "children" in node else list(node.values())[-1]) for node in nodes]


for text in (
    "> I will pay\nNo",
    "My weight is > 60 kg",
    ">>> I will pay\nI will not",
    "<t:1764349200:R>",
    r"2 \* 3 \* 4",
    "file_name_old",
    "(https://a.example)",
):
    print(repr(text), *short(parse_to_dict(text)))
PY
cat seen
cat >expected <<'TEXT'
'> I will pay\nNo' ('QUOTE_BLOCK', [('TEXT', 'I will pay\n')]) ('TEXT', 'No')
'My weight is > 60 kg' ('TEXT', 'My weight is ') ('QUOTE_BLOCK', [('TEXT', '60 kg')])
'>>> I will pay\nI will not' ('QUOTE_BLOCK', [('TEXT', 'I will pay\n')]) ('TEXT', 'I will not')
'<t:1764349200:R>' ('TEXT', '<t') ('EMOJI_UNICODE_ENCODED', '1764349200') ('TEXT', 'R>')
'2 \\* 3 \\* 4' ('TEXT', '2 \\') ('ITALIC', [('TEXT', ' 3 \\')]) ('TEXT', ' 4')
'file_name_old' ('TEXT', 'file') ('ITALIC', [('TEXT', 'name')]) ('TEXT', 'old')
'(https://a.example)' ('TEXT', '(') ('URL_WITH_PREVIEW', 'https://a.example)')
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
