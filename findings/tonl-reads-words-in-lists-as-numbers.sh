#!/bin/sh
# tonl 2.5.2 (npm, Node 20), a notation of JSON with fewer tokens for models. Texts that look like something else are quoted when they
# are written, and in a list or a table the quotes are taken off before the type is guessed: the postcode "01234" comes
# back as 1234, version "1.10" as 1.1, the answer "true" as true, and who is called "null" has no name. An empty
# text in a table is no field any more, and a list of one empty object is an empty list. By itself, outside lists and
# tables, each of them comes back as it was.
# Source: its README ("Round-Trip Safe - Perfect bidirectional JSON conversion", "quotes special keys"); encodeTONL and
# decodeTONL of the package. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "tonl@2.5.2" >>npm.log 2>&1
cat >turn.mjs <<'JS'
import { decodeTONL, encodeTONL } from "tonl";

for (const data of [
  { postcode: "01234", version: "1.10", answer: "true", name: "null", nick: "" },
  { postcodes: ["01234", "10115"], versions: ["1.10", "1.9"], answers: ["yes", "true"] },
  { members: [{ name: "null", nick: "" }, { name: "Null", nick: "7" }] },
  { guests: [{}] },
]) {
  const written = encodeTONL(data);
  console.log(written.split("\n").slice(2).filter((line) => line.trim()).join("\n"));
  console.log("=>", JSON.stringify(decodeTONL(written)));
}
JS
node turn.mjs | tee seen
cat >expected <<'TEXT'
  answer: "true"
  name: "null"
  nick: ""
  postcode: "01234"
  version: "1.10"
=> {"answer":"true","name":"null","nick":"","postcode":"01234","version":"1.10"}
  answers[2]: yes,"true"
  postcodes[2]: "01234","10115"
  versions[2]: "1.10","1.9"
=> {"answers":["yes",true],"postcodes":[1234,10115],"versions":[1.1,1.9]}
  members[2]{name,nick}:
    "null",""
    Null,"7"
=> {"members":[{"name":null},{"name":"Null","nick":7}]}
  guests[1]{}:
=> {"guests":[]}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
