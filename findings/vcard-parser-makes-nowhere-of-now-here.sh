#!/bin/sh
# vcard-parser 1.0.0 (npm), with cards written by vobject 0.9.9 (PyPI, CPython 3.11). A line of a vCard of more than 75
# octets goes on in the next one, behind one blank that marks it. vcard-parser cuts all blanks there, those of the words
# too. Where a line happens to end between two words, they become one: "the key is now here" says that it is nowhere. A
# path with a folder "new" has a line feed, as the second of two backslashes is taken for the first of one "\n", and
# "\N", which is a line feed as well, stays.
# Source: RFC 2426, 2.6 ("any single white space character" is removed), and 4 ("\N"); parse() in lib/ of the package.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "vobject==0.9.9"
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "vcard-parser@1.0.0" >>npm.log 2>&1
venv/bin/python - <<'PY'
from pathlib import Path

import vobject

card = vobject.vCard()
card.add("fn").value = "Kim Lee"
card.add("n").value = vobject.vcard.Name(family="Lee", given="Kim")
card.add("note").value = "Kim says: the spare key of my club that you have asked me about is now here, not there."
card.add("note").value = "Her plans are in C:\\new"
text = card.serialize()
assert [note.value for note in vobject.readOne(text).contents["note"]] == [
    note.value for note in card.contents["note"]
]
Path("card.vcf").write_text(text, newline="")
PY
cat >read.js <<'JS'
const { readFileSync } = require("fs");
const { parse } = require("vcard-parser");

const notes = (text) => parse(text).note.map((note) => note.value);
const seen = notes(readFileSync("card.vcf", "utf8"));
seen.push(...notes("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Kim\r\nNOTE:first\\Nsecond\r\nEND:VCARD\r\n"));
for (const note of seen) console.log(JSON.stringify(note));
JS
grep -a NOTE -A 1 card.vcf
node read.js | tee seen
cat >expected <<'TEXT'
"Kim says: the spare key of my club that you have asked me about is nowhere, not there."
"Her plans are in C:\\\new"
"first\\Nsecond"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
