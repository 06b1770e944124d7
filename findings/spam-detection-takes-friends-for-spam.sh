#!/bin/sh
# spam-detection 1.0.3 (npm, Node 20), which classifies messages. What friends write to arrange an evening is spam: "free on
# Friday?", "call me when you are free tonight", "send me your number", and so is the single word "claim". The same wishes in
# other words are ham ("do you have time on Friday?"), and a promised journey in German is. A caller cannot ask for more
# certainty as the README says: getResult is not there, but getResults.
# Source: its README, "classify messages as spam or ham" and "const result = spamcheck.getResult(...)". Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts spam-detection@1.0.3 >>npm.log 2>&1
cat >try.cjs <<'JS'
const spamcheck = require("spam-detection");
const messages = ["free on Friday?", "do you have time on Friday?", "call me when you are free tonight", "ring me tonight",
  "text me your mobile number", "send me your number", "I won the raffle", "claim", "Gewinnen Sie jetzt eine Reise", ""];
for (const message of messages) {
  console.log(JSON.stringify(message), spamcheck.detect(message));
}
console.log("exported:", Object.keys(spamcheck));
JS
node try.cjs | tee seen
cat >expected <<'TEXT'
"free on Friday?" spam
"do you have time on Friday?" ham
"call me when you are free tonight" spam
"ring me tonight" ham
"text me your mobile number" spam
"send me your number" spam
"I won the raffle" ham
"claim" spam
"Gewinnen Sie jetzt eine Reise" ham
"" ham
exported: [ 'detect', 'getResults' ]
TEXT
cmp seen expected
