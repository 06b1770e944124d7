#!/bin/sh
# @ai-sdk-tool/parser 4.1.26 (npm, Node 20), which reads calls of tools from what models write, here by its XML (rxml). A list
# of one text is cut at its commas and line ends: to invite "Doe, Ada" invites Doe and Ada, a list with the one thing to do
# "call Ben, not Eva" has "call Ben" and "not Eva". With a second entry in it the same text is whole. The list ["5"] is no list
# but the text 5, and the empty list and [""] are no list and an empty one. It is the package itself that wrote the calls that
# it reads so.
# Source: its README ("morphXmlToolMiddleware: XML-style payloads with schema-aware coercion"); the schema says an array of
# strings, and JSON Schema knows no separator; stringify and parse of its rxml. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@ai-sdk-tool/parser@4.1.26" >>npm.log 2>&1
cat >try.mjs <<'JS'
import { parse, stringify } from "@ai-sdk-tool/parser/rxml";

const schema = { type: "object", properties: { entries: { type: "array", items: { type: "string" } } } };
const lists = [["Ada", "Ben"], ["Ada"], ["Doe, Ada", "Ben"], ["Doe, Ada"], ["call Ben, not Eva"], ["milk\n(not oat)"], ["5"], [""], []];
for (const entries of lists) {
  const written = stringify("call", { entries }).replace(/^<call>|<\/call>$/g, "");
  console.log(`${JSON.stringify(entries)} is read as ${JSON.stringify(parse(written, schema).entries)}`);
}
JS
node try.mjs >seen
cat seen
cat >expected <<'TEXT'
["Ada","Ben"] is read as ["Ada","Ben"]
["Ada"] is read as ["Ada"]
["Doe, Ada","Ben"] is read as ["Doe, Ada","Ben"]
["Doe, Ada"] is read as ["Doe","Ada"]
["call Ben, not Eva"] is read as ["call Ben","not Eva"]
["milk\n(not oat)"] is read as ["milk","(not oat)"]
["5"] is read as "5"
[""] is read as []
[] is read as undefined
TEXT
cmp seen expected
