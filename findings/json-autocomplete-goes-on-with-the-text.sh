#!/bin/sh
# json-autocomplete 0.1.3 (npm, Node 20), which completes the JSON of a model while it comes. A bracket within a text is
# taken for JSON's: of the note "tea {green} at 7:30" people read "tea {g: null}", then "tea {green} at: null}" and "tea
# {green} at 7:30}", valid JSON that says what the model never wrote. Of a text with an escaped quote, of "true" and of a
# name after a comma and a blank, as most models write, what has come is no JSON: 36 of the 90 beginnings of this answer.
# Source: its README: "especially effective for handling partial outputs" of models, "handles a wide range of incomplete
# JSON formats". RFC 8259, 7: brackets and colons in a string are its characters. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "json-autocomplete@0.1.3" >>npm.log 2>&1
cat >complete.cjs <<'JS'
const jsonAutocomplete = require("json-autocomplete");

const read = (begun) => {
  const completed = jsonAutocomplete(begun);
  try {
    return JSON.parse(completed);
  } catch {
    return "no JSON: " + completed;
  }
};
const answer = '{"name": "Anna", "note": "tea {green} at 7:30", "said": "\\"no nuts\\" [twice]", "ok": true}';
for (const end of ["Ann", "no", "tea ", "{g", "at", "7:30", "nut", "tr"]) {
  console.log(end, "->", JSON.stringify(read(answer.slice(0, answer.indexOf(end) + end.length))));
}
const ends = [...Array(answer.length).keys()].map((end) => read(answer.slice(0, end + 1)));
console.log(ends.filter((value) => typeof value === "string").length, "of", ends.length);
JS
node complete.cjs | tee seen
cat >expected <<'TEXT'
Ann -> {"name":"Ann"}
no -> "no JSON: {\"name\": \"Anna\", \"no\"}"
tea  -> {"name":"Anna","note":"tea"}
{g -> {"name":"Anna","note":"tea {g: null}"}
at -> {"name":"Anna","note":"tea {green} at: null}"}
7:30 -> {"name":"Anna","note":"tea {green} at 7:30}"}
nut -> "no JSON: {\"name\": \"Anna\", \"note\": \"tea {green} at 7:30\", \"said\": \"\\\"no nut\"}\"}"
tr -> "no JSON: {\"name\": \"Anna\", \"note\": \"tea {green} at 7:30\", \"said\": \"\\\"no nuts\\\" [twice]\", \"ok\": tr\"}\"}"
36 of 90
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
