#!/bin/sh
# @telegraf/entity 0.7.0 (npm, Node 20), which turns Telegram's formatted messages into HTML or MarkdownV2 and back. Its reader
# of Markdown gives each link the codes of its letters for an address: "[the bill](https://example.org/7)" points to
# 104116116112..., while the same link in HTML is right. The other way, what is special is escaped in a message with any
# formatting and in none without: "2*3*4 is 24" with a bold 24 is right, and without it goes out as it is and is read again,
# also by the package's own reader, as 234 with a bold 3; "a_b and c_d" is "ab and cd".
# Source: its README: "a fully Bot API-compliant parser for HTML and Markdown ... it should parse exactly like Bot API does";
# toMarkdownV2 produces "Telegram-compatible HTML or MarkdownV2"; the Bot API, "MarkdownV2 style": _ * [ ] and others "must be
# escaped" wherever they mark nothing; serialiseWith and parse_markdown in script/. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@telegraf/entity@0.7.0" >>npm.log 2>&1
cat >try.cjs <<'JS'
const { parse_html, parse_markdown, toMarkdownV2 } = require("@telegraf/entity");

function show(title, { text, entities }) {
  const marks = entities.map(({ type, offset, length, url, user }) =>
    [type, text.slice(offset, offset + length), url, user?.id].filter(Boolean).join(" "));
  console.log(`${title}: ${text}`, marks);
}

show("Markdown", parse_markdown("See *now* [the bill](https://example.org/7)."));
show("HTML", parse_html('See <b>now</b> <a href="https://example.org/7">the bill</a>.'));
for (const [text, entities] of [
  ["2*3*4 is 24", [{ type: "bold", offset: 9, length: 2 }]],
  ["2*3*4 is 24", []],
  ["a_b and c_d", []],
]) {
  const written = toMarkdownV2({ text, entities });
  show(`${text}, ${entities.length} marks, written as ${written}`, parse_markdown(written));
}
JS
node try.cjs >seen
cat seen
cat >expected <<'TEXT'
Markdown: See now the bill. [
  'bold now',
  'text_link the bill 10411611611211558474710112097109112108101461111141034755'
]
HTML: See now the bill. [ 'bold now', 'text_link the bill https://example.org/7' ]
2*3*4 is 24, 1 marks, written as 2\*3\*4 is *24*: 2*3*4 is 24 [ 'bold 24' ]
2*3*4 is 24, 0 marks, written as 2*3*4 is 24: 234 is 24 [ 'bold 3' ]
a_b and c_d, 0 marks, written as a_b and c_d: ab and cd [ 'italic b and c' ]
TEXT
cmp seen expected
