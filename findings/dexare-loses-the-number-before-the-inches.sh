#!/bin/sh
# dexare 3.0.2 with eris 0.18.0 (npm, Node 20), a framework for Discord bots, whose commands get what stands behind them in parts;
# words between quotation marks stay together. A quotation ends whatever stands in front of it on the same word, which is then in
# no part: of '5" long and 3" wide' neither the five nor the three is left, of 'reason:"be kind"' the name of the option is gone.
# German quotation marks are known only in pairs that nobody writes, so that what stands between them is cut at its spaces. A
# backslash in front of a mark is seen in one sentence and not in another, where "a" is lost as well: the place of the sign before
# is added up instead of stored.
# Source: dexare's types, "Parses arguments from a message", with pairs of quotation marks of several languages and a case of its
# own for a mark behind a backslash; get() and QUOTES in lib/modules/commands/interpreter.js; Duden, "Anführungszeichen". Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "dexare@3.0.2" "eris@0.18.0" >>npm.log 2>&1
cat >parts.cjs <<'JS'
const ArgumentInterpreter = require("dexare/lib/modules/commands/interpreter.js").default;

const messages = [
  'Leo "be kind" 5',
  'it is 5" long and 3" wide',
  'Leo reason:"be kind" days:5',
  'Leo «be kind» 5',
  'Leo „be kind“ 5',
  'Leo ‚be kind‘ 5',
  String.raw`say \"hi there\" twice`,
  String.raw`a\"b c"d e" f`,
];
for (const message of messages) {
  console.log(message, "->", JSON.stringify(new ArgumentInterpreter(message).parseAsStrings()));
}
JS
node parts.cjs | tee seen
cat >expected <<'TEXT'
Leo "be kind" 5 -> ["Leo","be kind","5"]
it is 5" long and 3" wide -> ["it","is"," long and 3","wide"]
Leo reason:"be kind" days:5 -> ["Leo","be kind","days:5"]
Leo «be kind» 5 -> ["Leo","be kind","5"]
Leo „be kind“ 5 -> ["Leo","„be","kind“","5"]
Leo ‚be kind‘ 5 -> ["Leo","‚be","kind‘","5"]
say \"hi there\" twice -> ["say","\\\"hi","there\\\"","twice"]
a\"b c"d e" f -> ["b c","d","e\"","f"]
TEXT
cmp seen expected
