#!/bin/sh
# email-origin-chain 1.0.11 (npm, Node 20), which takes apart who said what in a mail and the mails that it answers. Of an answer
# as Gmail writes it ("On Mon, Nov 30, 2026 at 10:15 AM Anna Berg <...> wrote:") the quoted mail is dated 2001, Anna has no name,
# and her address has its angle brackets. What stands below a quotation, as many write their answers, is Anna's: "No, I hate
# Fridays" is said by her, and the one who said it said nothing. In German ("Am Mo., 30. Nov. 2026 um 10:15 Uhr schrieb ...") no
# answer is found at all. A sentence such as "On Monday Anna wrote: come on Friday" makes a mail of Anna's that is empty, and the
# sentence is in no part of the outcome. Forwarded mails are read rightly, with their years.
# Source: the README: the full chain of a discussion with from, date_iso and text of each, "On ... wrote:" reply headers "in 15+
# languages", contacts as name ("John Doe") and address ("john@example.com"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "email-origin-chain@1.0.11" >>npm.log 2>&1
cat >read.cjs <<'JS'
const { extractDeepestHybrid } = require("email-origin-chain");

const wrote = "On Mon, Nov 30, 2026 at 10:15 AM Anna Berg <anna@x.example> wrote:\n\n> Can you come on Friday?\n";
const header = "From: Anna Berg <anna@x.example>\nDate: Mon, Nov 30, 2026 at 10:15 AM\nSubject: Friday\nTo: <ben@x.example>\n";
const mails = {
  forwarded: `see below\n\n---------- Forwarded message ---------\n${header}\n\nCan you come on Friday?\n`,
  "answer above": `I can.\n\n${wrote}`,
  "answer below": `${wrote}\nNo, I hate Fridays.\n`,
  German: "Ja.\n\nAm Mo., 30. Nov. 2026 um 10:15 Uhr schrieb Anna Berg <anna@x.example>:\n\n> Kommst du am Freitag?\n",
  "a sentence": "On Monday Anna wrote: come on Friday. I said no.\n",
};
(async () => {
  for (const [name, mail] of Object.entries(mails)) {
    const { history } = await extractDeepestHybrid(mail, { skipMimeLayer: true });
    console.log(`${name}:`);
    for (const { from, date_iso, text } of history) {
      console.log(" ", JSON.stringify(from), date_iso?.slice(0, 10), JSON.stringify(text));
    }
  }
})();
JS
TZ=UTC node read.cjs 2>/dev/null | tee seen
cat >expected <<'TEXT'
forwarded:
  {"name":"Anna Berg","address":"anna@x.example"} 2026-11-30 "Can you come on Friday?"
  null undefined "see below"
answer above:
  {"address":"<anna@x.example>"} 2001-11-30 "> Can you come on Friday?"
  null undefined "I can."
answer below:
  {"address":"<anna@x.example>"} 2001-11-30 "> Can you come on Friday?\n\nNo, I hate Fridays."
  null undefined ""
German:
  null undefined "Ja.\n\nAm Mo., 30. Nov. 2026 um 10:15 Uhr schrieb Anna Berg <anna@x.example>:\n\n> Kommst du am Freitag?"
a sentence:
  {"name":"Anna","address":""} undefined ""
  null undefined ""
TEXT
cmp seen expected
