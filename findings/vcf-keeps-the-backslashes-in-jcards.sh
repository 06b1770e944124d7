#!/bin/sh
# vcf 2.1.2 (npm, Node 20), which reads contacts (vCard) and writes them as jCard. What was escaped stays escaped: a note of two
# lines has "\n" in it as two letters, and "Tea\, no milk" its backslash, so that who reads the jCard sees them and who writes
# it as a vCard again by the standard has two. The two nicknames of Ada are one text with a comma, and a birthday without a
# year is a "text". A semicolon within a quoted label ends the label: "Main St 1; left, 2" is a label '"Main St 1' and the two
# kinds of address " left" and " 2\"". "X-ABLABEL" becomes "xAblabel". ical.js 2.2.1 beside it reads all of them.
# Source: its README, "Parse and construct vCards, jCards"; RFC 7095, section 3: escaping is removed, names are in lower
# case, further values are further elements, and the type is the property's default; RFC 6350, 3.3: a quoted parameter may
# have ";". Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts vcf@2.1.2 ical.js@2.2.1 >>npm.log 2>&1
cat >try.mjs <<'JS'
import ICAL from "ical.js";
import VCard from "vcf";

const lines = ["BEGIN:VCARD", "VERSION:4.0", "FN:Ada Doe", "NOTE:Tea\\, no milk\\nnot vegan", "NICKNAME:Addie,Ad",
  "BDAY:--0203", 'ADR;LABEL="Main St 1; left, 2":;;Main St 1;;;;', "item1.X-ABLABEL:Mum", "END:VCARD", ""];
const text = lines.join("\r\n");
for (const [name, card] of [["vcf", new VCard().parse(text).toJSON()], ["ical.js", ICAL.parse(text)]]) {
  for (const property of card[1].slice(2)) console.log(name, JSON.stringify(property));
}
JS
node try.mjs | tee seen
cat >expected <<'TEXT'
vcf ["note",{},"text","Tea\\, no milk\\nnot vegan"]
vcf ["nickname",{},"text","Addie,Ad"]
vcf ["bday",{},"text","--0203"]
vcf ["adr",{"label":"\"Main St 1","type":[" left"," 2\""]},"text",["","","Main St 1","","","",""]]
vcf ["xAblabel",{"group":"item1"},"text","Mum"]
ical.js ["note",{},"text","Tea, no milk\nnot vegan"]
ical.js ["nickname",{},"text","Addie","Ad"]
ical.js ["bday",{},"date-and-or-time","--02-03"]
ical.js ["adr",{"label":"Main St 1; left, 2"},"text",["","","Main St 1","","","",""]]
ical.js ["x-ablabel",{"group":"item1"},"unknown","Mum"]
TEXT
cmp seen expected
