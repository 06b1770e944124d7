#!/bin/sh
# slackify-html 1.0.1 (npm, Node 20), which turns simple HTML, as from feeds and wikis, into Slack's markdown. Paragraphs,
# line breaks, headings and the items of lists are put together without a sign between them: the steps "Add 5 g of salt" and
# "2 eggs" are "Add 5 g of salt2 eggs", the rooms 10 and 12 are 1012, and a cell of a table continues the one before. What is
# struck through is said like the rest: a price of 5 instead of 50 is "50 5 euros", although Slack knows ~50~. A quotation is
# no quotation, and code is plain text, in which Slack reads its own signs: x *p* y has a bold p.
# Source: the README, "convert html to slack markdown", with the link to Slack's page on formatting messages, which has lists,
# quotations, code and text that is struck through. html-to-mrkdwn 3.0.0 keeps these, but leaves a table out with all that is
# in it. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "slackify-html@1.0.1" "html-to-mrkdwn@3.0.0"
cat >say.cjs <<'JS'
const slackify = require("slackify-html");
const mrkdwn = require("html-to-mrkdwn");

const pages = [
  "<p>See <b>Ada</b></p><p>Ben is away</p>",
  "<ol><li>Add 5 g of salt</li><li>2 eggs</li></ol>",
  "rooms 10<br>12",
  "<s>50</s> 5 euros",
  "<blockquote>I pay</blockquote>",
  "<code>x *p* y</code>",
  "<table><tr><td>Ada owes</td><td>5</td></tr><tr><td>Ben owes</td><td>7</td></tr></table>",
];
for (const page of pages) console.log(JSON.stringify(slackify(page)), JSON.stringify(mrkdwn(page).text));
JS
node say.cjs | tee seen
cat >expected <<'TEXT'
"See *Ada*Ben is away" "See *Ada*\n\nBen is away"
"Add 5 g of salt2 eggs" "1. Add 5 g of salt\n2. 2 eggs"
"rooms 1012" "rooms 10  \n12"
"50 5 euros" "~50~ 5 euros"
"I pay" "> I pay"
"x *p* y" "`x *p* y`"
"Ada owes5Ben owes7" ""
TEXT
cmp seen expected
