#!/bin/sh
# toonkit 2.0.2 (npm, Node 20), which writes JSON as "TOON", shorter text for models and APIs, and reads it. It reads only the
# first line of a value that it has written on several: a note of two lines loses the second, here "not with nuts", and an
# object as in its README's example is "{". What is in rows is split at each comma, so that "Doe, Ada" who likes tea is Doe who
# likes Ada. A list of texts or numbers is not written at all, and an empty text is gone. Nothing is an error.
# Source: its README: jsonToToon "Serializes a JavaScript object into TOON format", toonToJson "Parses TOON formatted text and
# returns a JavaScript object"; its example of writing has an object over several lines. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "toonkit@2.0.2" >>npm.log 2>&1
cat >try.mjs <<'JS'
import { jsonToToon, toonToJson } from "toonkit";

for (const value of [
  { name: "Ada", age: 30, vegan: true },
  { note: "Ada eats cake,\nnot with nuts." },
  { location: { lat: 12.9716, lng: 77.5946 } },
  { likes: ["tea", "cake"] },
  { members: [{ name: "Doe, Ada", likes: "tea" }, { name: "Ben", likes: "milk" }] },
  { name: "Ada", diet: "" },
]) {
  console.log(`${JSON.stringify(value)}: ${JSON.stringify(toonToJson(jsonToToon(value)))}`);
}
JS
node try.mjs >seen
cat seen
cat >expected <<'TEXT'
{"name":"Ada","age":30,"vegan":true}: {"name":"Ada","age":30,"vegan":true}
{"note":"Ada eats cake,\nnot with nuts."}: {"note":"Ada eats cake,"}
{"location":{"lat":12.9716,"lng":77.5946}}: {"location":"{"}
{"likes":["tea","cake"]}: {}
{"members":[{"name":"Doe, Ada","likes":"tea"},{"name":"Ben","likes":"milk"}]}: {"members":[{"name":"Doe","likes":" Ada"},{"name":"Ben","likes":"milk"}]}
{"name":"Ada","diet":""}: {"name":"Ada"}
TEXT
cmp seen expected
