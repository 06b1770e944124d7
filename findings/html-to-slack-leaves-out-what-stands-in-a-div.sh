#!/bin/sh
# html-to-slack 0.3.7 (npm, Node 20), which makes blocks for Slack of HTML. What stands in a <div> without a <p> around it, as
# mail programs write each line, is left out; of a message of such lines nothing comes, an empty list, without an error. So are
# <section>, <article> and <main> with all that is in them, tables, and a number raised with <sup>: "10<sup>6</sup>" is 10. Where
# bold or slanted letters begin or end within a word, the blocks have a space: "3<b>00</b> euros" are "3 00 euros", and an address
# in bold letters falls in two.
# Source: the README: "A module to convert HTML strings to Slack blocks", and its list of known issues, which has none of these;
# the HTML standard, 4.4.15 (the div element) and 4.3 (sections). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "html-to-slack@0.3.7" >>npm.log 2>&1
cat >blocks.cjs <<'JS'
const library = require("html-to-slack");

const htmlToSlack = library.default ?? library;
function words(node) {
  if (Array.isArray(node)) return node.flatMap(words);
  if (node === null || typeof node !== "object") return [];
  if (typeof node.text === "string") return [node.text];
  return Object.values(node).flatMap(words);
}
for (const html of [
  "<p>No nuts for Leo</p>",
  "<div>No nuts for Leo</div><div>Anna</div>",
  "<div><p>No nuts</p>for Leo</div>",
  "<article><h1>Nuts</h1><p>Not for Leo</p></article>",
  "<table><tr><td>Leo</td><td>no nuts</td></tr></table>",
  "<p>10<sup>6</sup> stars</p>",
  "<p>You owe me 3<b>00</b> euros</p>",
  "<p>ask anna<b>@x.example</b></p>",
]) {
  console.log(html, "->", JSON.stringify(words(htmlToSlack(html)).join("")));
}
JS
node blocks.cjs | tee seen
cat >expected <<'TEXT'
<p>No nuts for Leo</p> -> "No nuts for Leo\n"
<div>No nuts for Leo</div><div>Anna</div> -> ""
<div><p>No nuts</p>for Leo</div> -> "No nuts\n"
<article><h1>Nuts</h1><p>Not for Leo</p></article> -> ""
<table><tr><td>Leo</td><td>no nuts</td></tr></table> -> ""
<p>10<sup>6</sup> stars</p> -> "10 stars\n"
<p>You owe me 3<b>00</b> euros</p> -> "You owe me 3 00 euros\n"
<p>ask anna<b>@x.example</b></p> -> "ask anna @x.example"
TEXT
cmp seen expected
