#!/bin/sh
# A document of docx 9.15.2 (npm, Node 20) with two tasks, of which one is ticked, and with hyphens at which no line breaks,
# read by docx2python 3.7.1, docx2txt 0.9, mammoth 1.13.0 and python-docx 1.2.0 (PyPI, CPython 3.11). docx2python has U+0612
# and U+0610, signs of Arabic, for the boxes U+2612 and U+2610, which its README promises: it writes a 0 for the first
# digit of a symbol's number. The other three have nothing there, so what is done and what is open are the same in plain
# text (mammoth's HTML tells them apart). docx2python and docx2txt drop the hyphens: rooms 10-12 are room 1012.
# Source: ECMA-376, part 1, 17.3.3.30: "char" of a symbol is its hexadecimal number, to which F000 may be added;
# 17.3.3.18: noBreakHyphen is a hyphen. _open_sym in docx2python/docx_text.py. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "docx2python==3.7.1" "docx2txt==0.9" "mammoth==1.13.0" "python-docx==1.2.0"
cd "$folder"
npm install --silent --no-fund --no-audit "docx@9.15.2"
node - <<'JS'
const { CheckBox, Document, NoBreakHyphen, Packer, Paragraph, TextRun } = require("docx");
const task = (checked, text) => new Paragraph({ children: [new CheckBox({ checked }), new TextRun(text)] });
const hyphen = (before, after) =>
  new Paragraph({ children: [new TextRun({ children: [before, new NoBreakHyphen(), after] })] });
const children = [task(true, " bread"), task(false, " cake"), hyphen("rooms 10", "12"), hyphen("the co", "op")];
Packer.toBuffer(new Document({ sections: [{ children }] })).then((data) => require("fs").writeFileSync("list.docx", data));
JS
venv/bin/python -W ignore - <<'PY'
import html
import re

import docx
import docx2txt
import mammoth
from docx2python import docx2python


def lines(text):
    """Return the lines that are not empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


with docx2python("list.docx") as document:
    by_docx2python = re.sub("<[^>]*>", "", document.text)  # the font
with open("list.docx", "rb") as file:
    by_mammoth = mammoth.extract_raw_text(file).value
    page = mammoth.convert_to_html(file).value
seen = {
    "docx2python": lines(html.unescape(by_docx2python)),
    "docx2txt": lines(docx2txt.process("list.docx")),
    "mammoth": lines(by_mammoth),
    "python-docx": [paragraph.text.strip() for paragraph in docx.Document("list.docx").paragraphs],
}
for name, found in seen.items():
    print(f"{name}: {', '.join(map(ascii, found))}")
print("mammoth's HTML:", page[:120])
expected = {
    "docx2python": ["\u0612 bread", "\u0610 cake", "rooms 1012", "the coop"],
    "docx2txt": ["bread", "cake", "rooms 1012", "the coop"],
    "mammoth": ["bread", "cake", "rooms 10\u201112", "the co\u2011op"],
    "python-docx": ["bread", "cake", "rooms 10-12", "the co-op"],
}
if seen != expected or page.count("checked=") != 1:
    raise SystemExit("the behaviour has changed")
PY
