#!/bin/sh
# zulip-markdown-parser 1.0.6 (npm), which converts Zulip's Markdown to HTML. A message to everybody, "@**all**" or
# "@**everyone**", raises ReferenceError, "message is not defined", wherever it stands; the error asks to be reported to
# the authors of marked. A mention with an id, "@**Leo|102**", as Zulip itself writes it where two people have one name,
# mentions nobody, and a silent one, "@_**Leo**", makes the name bold. What is behind a spoiler is shown: "42" stands in
# the text, above a block of code that is empty.
# Source: Zulip's help centre ("Mention a user or group", "Spoilers"); markdown.js of the package. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "zulip-markdown-parser@1.0.6" >>npm.log 2>&1
cat >write.js <<'JS'
const parse = require("zulip-markdown-parser").default;

const users = [
  { fullName: "Leo", id: 102, email: "leo@example.org" },
  { fullName: "Iago", id: 103, email: "iago@example.org" },
];
const auth = { realm: "http://localhost", apiKey: "none", email: "iago@example.org" };
for (const text of [
  "@**Leo** come at 7",
  "@**all** come at 7",
  "Not at 8, @**everyone**!",
  "@**Leo|102** come at 7",
  "@_**Leo** has left",
  "```spoiler The answer\n42\n```",
]) {
  let html;
  try {
    html = parse(text, users, [], auth, [], [], {});
  } catch (error) {
    html = `${error.name}, ${error.message.split("\n")[0]}`;
  }
  console.log(JSON.stringify(html));
}
JS
node write.js | tee seen
cat >expected <<'TEXT'
"<p><span class=\"user-mention\" data-user-id=\"102\">@Leo</span> come at 7</p>"
"ReferenceError, message is not defined"
"ReferenceError, message is not defined"
"<p>@**Leo|102** come at 7</p>"
"<p>@_<strong>Leo</strong> has left</p>"
"<p>```spoiler The answer<br>\n42</p>\n<div class=\"codehilite\"><pre><span></span>\n\n</pre></div>"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
