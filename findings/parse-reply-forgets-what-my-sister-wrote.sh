#!/bin/sh
# parse-reply 0.0.4 (npm, Node 20), which takes quoted mails out of mails. Each line that begins with "On" and ends with "wrote:" is
# taken for the head of a quotation that goes to the end: a mail that begins "On Monday my sister wrote:" is empty, and of one with
# answers between the quoted lines ("> Do you come?", "Yes.") no answer is left. A line of underscores ends a mail too. In German the
# quotation stays whole.
# Source: its README: it "parses email body and strips out quotes", "cleanedUpBody does not" have "quoted lines"; what its sender wrote
# is no quoted line. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "parse-reply@0.0.4" >>npm.log 2>&1
cat >read.cjs <<'JS'
const parseReply = require("parse-reply");

const mails = [
  "Yes.\n\nOn Mon, 30 Nov 2026 at 12:00, Ben <ben@example.org> wrote:\n> Do you come?",
  "On Mon, 30 Nov 2026 at 12:00, Ben <ben@example.org> wrote:\n> Do you come?\n\nYes.\n\n> Shall I bring nuts?\n\nNo.",
  "On Monday my sister wrote:\nI am well.\n\nNice, is it not?",
  "Bring tea\n__________\nNo nuts please",
  "Ja.\n\nAm 30.11.2026 um 12:00 schrieb Ben:\n> Kommst du?",
];
for (const mail of mails) console.log(JSON.stringify(mail), "->", JSON.stringify(parseReply(mail)));
JS
node read.cjs >seen
cat seen
cat >expected <<'TEXT'
"Yes.\n\nOn Mon, 30 Nov 2026 at 12:00, Ben <ben@example.org> wrote:\n> Do you come?" -> "Yes.\n\n"
"On Mon, 30 Nov 2026 at 12:00, Ben <ben@example.org> wrote:\n> Do you come?\n\nYes.\n\n> Shall I bring nuts?\n\nNo." -> ""
"On Monday my sister wrote:\nI am well.\n\nNice, is it not?" -> ""
"Bring tea\n__________\nNo nuts please" -> "Bring tea\n"
"Ja.\n\nAm 30.11.2026 um 12:00 schrieb Ben:\n> Kommst du?" -> "Ja.\n\nAm 30.11.2026 um 12:00 schrieb Ben:\n> Kommst du?"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
