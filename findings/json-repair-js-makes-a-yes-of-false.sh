#!/bin/sh
# json-repair-js 1.0.0 (npm, Node 20), which repairs JSON that models write. As soon as anything in it is to be repaired, here a
# comma or a brace that is missing, false, true and null are texts: whether Ada may eat nuts is "false", which for a program is
# a yes. Of a text without its marks the first word remains, "do" of "do not call Ben"; the rest is the name of an empty field.
# A clock time without marks takes what follows with it. What repairJson returns by default has each letter beyond ASCII escaped
# twice, so that who parses it reads T\u00fcrk\u00e7e in letters and digits.
# Source: its README ("Fixing missing quotation marks", "Fixes missing commas", "Preserves Unicode characters"; "ensureAscii:
# true, false: preserves Unicode characters"); RFC 8259, 3 (false, null and true are literal names) and 7 (\u00fc within a text
# is ü). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "json-repair-js@1.0.0" >>npm.log 2>&1
cat >try.cjs <<'JS'
const { loads, repairJson } = require("json-repair-js");

for (const text of [
  '{"who": "Ada", "nuts": false, "since": null}',
  '{"who": "Ada" "nuts": false, "since": null}',
  '{"who": "Ada", "nuts": false',
  "{ name: John, age: 30 }",
  "{ note: do not call Ben, by: Ada }",
  '{"at": 10:30, "who": "Ada"}',
]) {
  console.log(`${text} -> ${JSON.stringify(loads(text))}`);
}
console.log("repaired and parsed:", JSON.parse(repairJson('{ test: "Türkçe" }')).test);
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
{"who": "Ada", "nuts": false, "since": null} -> {"who":"Ada","nuts":false,"since":null}
{"who": "Ada" "nuts": false, "since": null} -> {"who":"Ada","nuts":"false","since":"null"}
{"who": "Ada", "nuts": false -> {"who":"Ada","nuts":"false"}
{ name: John, age: 30 } -> {"name":"John","age":30}
{ note: do not call Ben, by: Ada } -> {"note":"do","not call Ben":"","by":"Ada"}
{"at": 10:30, "who": "Ada"} -> {"at":10}
repaired and parsed: T\u00fcrk\u00e7e
TEXT
cmp seen expected
