#!/bin/sh
# @atcute/bluesky-richtext-parser 2.1.2 with @atcute/bluesky-richtext-builder 4.0.1 (npm), which read what people write for
# posts of Bluesky. A sign that could begin something and does not (a star, an underscore, a bracket, "$" on its own) is put
# back into the text before it, but only into its "raw": its "content" ends there. The README's way to a post takes the
# content, so that of "I eat nuts * but never peanuts" the post is "I eat nuts ", of a name with an underscore its first part,
# and of an address of e-mail with one the first letters. The minutes of a clock time with seconds are an emote, and a link
# in angle brackets ends with the bracket.
# Source: its README, "process tokens to build facets": "case 'text': rt.addText(token.content)", and its examples, where raw
# and content of a text are alike. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@atcute/bluesky-richtext-parser@2.1.2" "@atcute/bluesky-richtext-builder@4.0.1" \
  >>npm.log 2>&1
cat >post.mjs <<'JS'
import { tokenize } from "@atcute/bluesky-richtext-parser";
import RichtextBuilder from "@atcute/bluesky-richtext-builder";

for (const text of [
  "I eat nuts * but never peanuts",
  "It is 5 $ or less",
  "ask ada_lovelace or Ben",
  "mail a_b@example.org by Friday",
  "I come [not sure yet] on Friday",
  "I am *never* late",
]) {
  const tokens = tokenize(text);
  const post = new RichtextBuilder();
  for (const token of tokens) post.addText(token.content ?? token.children[0].content);
  const whole = tokens.map((token) => token.raw).join("") === text;
  console.log(`${text} -> ${post.build().text} (raw is whole: ${whole})`);
}
for (const text of ["it ended at 10:30:15", "<https://example.org>", "(https://example.org/tea)"]) {
  console.log(`${text} -> ${tokenize(text).map((token) => `${token.type} ${token.raw}`).join(", ")}`);
}
JS
node post.mjs >seen
cat seen
cat >expected <<'TEXT'
I eat nuts * but never peanuts -> I eat nuts  (raw is whole: true)
It is 5 $ or less -> It is 5  (raw is whole: true)
ask ada_lovelace or Ben -> ask ada (raw is whole: true)
mail a_b@example.org by Friday -> mail a (raw is whole: true)
I come [not sure yet] on Friday -> I come  (raw is whole: true)
I am *never* late -> I am never late (raw is whole: true)
it ended at 10:30:15 -> text it ended at 10, emote :30:, text 15
<https://example.org> -> text <, autolink https://example.org>
(https://example.org/tea) -> text (, autolink https://example.org/tea, text )
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
