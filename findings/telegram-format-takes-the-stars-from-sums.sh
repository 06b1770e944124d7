#!/bin/sh
# telegram-format 3.1.0 (npm, Node 20), which writes Telegram's Markdown and HTML. Its "markdown" form escapes a text by taking the marks
# away: of "5 * 4" is left "5  4", of my_long_name mylongname, and of `a` the a; the brackets stay. A link to a page with a bracket in
# its name loses the last one and leads to another page. The form "markdownv2" and "html" keep all of it.
# Source: its README: "When you have something that might be unescaped you need to use format.escape before formatting it", "Markdown
# still escapes inputs"; Telegram's Bot API, Markdown style: a mark is escaped by a backslash in front of it. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "telegram-format@3.1.0" >>npm.log 2>&1
cat >write.cjs <<'JS'
const { markdown, markdownv2, html } = require("telegram-format");

for (const text of ["5 * 4", "my_long_name", "`a` [b]"]) {
  console.log(`${text}: ${[markdown, markdownv2, html].map((format) => format.escape(text)).join(" | ")}`);
}
const page = "https://example.org/Tea_(drink)";
console.log([markdown, markdownv2, html].map((format) => format.url("tea", page)).join(" | "));
JS
node write.cjs >seen
cat seen
cat >expected <<'TEXT'
5 * 4: 5  4 | 5 \* 4 | 5 * 4
my_long_name: mylongname | my\_long\_name | my_long_name
`a` [b]: a b | \`a\` \[b\] | `a` [b]
[tea](https://example.org/Tea_(drink) | [tea](https://example.org/Tea_(drink\)) | <a href="https://example.org/Tea_(drink)">tea</a>
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
