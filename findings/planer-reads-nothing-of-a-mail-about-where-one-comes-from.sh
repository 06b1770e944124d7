#!/bin/sh
# planer 1.2.0 (npm, Node 20), which takes quoted mails out of mails. A mail whose first line begins with "From:" is empty, although it
# quotes nobody: "From: Leeds. To: York. It takes an hour." Of a mail that has such a line further down, with "To:" below it, what
# follows is gone with it: where to go from, where to and when. One that begins with "Leaving from:" is whole. What its sender wrote
# between the quoted lines stays, with the quotes.
# Source: its README: "Remove reply quotations from emails", "To extract the message from a plain text email". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "planer@1.2.0" >>npm.log 2>&1
cat >read.cjs <<'JS'
const { extractFrom } = require("planer");

const mails = [
  "From: Leeds\nTo: York\nIt takes an hour.\n\nAda",
  "Hi Ben,\nmy plan:\n\nFrom: Leeds\nTo: York\nDate: 12 June\nTake no nuts.\n\nAda",
  "Leaving from: Leeds\nIt takes an hour.\n\nAda",
  "Yes.\n\nOn Mon, 30 Nov 2026 at 12:00, Ben <ben@example.org> wrote:\n> Do you come?",
];
for (const mail of mails) console.log(JSON.stringify(mail), "->", JSON.stringify(extractFrom(mail, "text/plain")));
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
"From: Leeds\nTo: York\nIt takes an hour.\n\nAda" -> ""
"Hi Ben,\nmy plan:\n\nFrom: Leeds\nTo: York\nDate: 12 June\nTake no nuts.\n\nAda" -> "Hi Ben,\nmy plan:"
"Leaving from: Leeds\nIt takes an hour.\n\nAda" -> "Leaving from: Leeds\nIt takes an hour.\n\nAda"
"Yes.\n\nOn Mon, 30 Nov 2026 at 12:00, Ben <ben@example.org> wrote:\n> Do you come?" -> "Yes."
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
