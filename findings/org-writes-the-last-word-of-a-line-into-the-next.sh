#!/bin/sh
# org 0.2.0 (npm, Node 20), which turns notes in Org mode into pages. Below a heading the lines of a paragraph are put together
# without a space: "in" at the end of a line and "formal" at the begin of the next are "informal", and "Ada is not" and "able
# to come" say that she is "notable". A note without a heading loses its first line to the title. The properties of a heading
# stand in what it says, and what is marked with COMMENT or :noexport: is shown with the mark.
# Source: its README, "Parser and converter for org-mode notation"; the Org manual: "Paragraphs are separated by at least one
# empty line", and "Comment Lines" and "Export Settings" for what is never exported. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts org@0.2.0 >>npm.log 2>&1
cat >try.cjs <<'JS'
const org = require("org");
const notes = [
  "* Diary\nWe meet in\nformal dress",
  "* Diary\nAda is not\nable to come",
  "* Ada\n:PROPERTIES:\n:OWES: 5\n:END:\nShe came",
  "We meet in\nformal dress",
  "* COMMENT Presents\nA book for Ada",
  "* Presents :noexport:\nA book for Ada",
];
for (const note of notes) {
  const page = new org.Parser().parse(note).convert(org.ConverterHTML, { headerOffset: 1 });
  const text = page.contentHTML.replace(/<span class="section-number">.*?<\/span>/g, "").replace(/<[^>]*>/g, "");
  console.log(JSON.stringify(note), "->", JSON.stringify(page.title ?? ""), JSON.stringify(text));
}
JS
node try.cjs | tee seen
cat >expected <<'TEXT'
"* Diary\nWe meet in\nformal dress" -> "Untitled" "Diary\nWe meet informal dress"
"* Diary\nAda is not\nable to come" -> "Untitled" "Diary\nAda is notable to come"
"* Ada\n:PROPERTIES:\n:OWES: 5\n:END:\nShe came" -> "Untitled" "Ada\n:PROPERTIES::OWES: 5:END:She came"
"We meet in\nformal dress" -> "We meet in" "formal dress\n"
"* COMMENT Presents\nA book for Ada" -> "Untitled" "COMMENT Presents\nA book for Ada"
"* Presents :noexport:\nA book for Ada" -> "Untitled" "Presents :noexport:\nA book for Ada"
TEXT
cmp seen expected
