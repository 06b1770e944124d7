#!/bin/sh
# @skyware/bot 0.3.12 (npm, Node 20), a framework for bots on Bluesky, which splits what is longer than 300 letters if asked to. A
# mention or a link must not be cut, and is, if it begins with the 300th letter: the first post ends in "@", the second begins
# with "anna.example", and the mention is in neither of the two, so that Anna is not told. A link whose text is itself longer than
# a post cannot stay whole; instead of a long piece each post then has one single letter of it, until no more than a post is left:
# a linked sentence of 400 letters becomes 103 posts, 101 of them with one letter, and the link is on none.
# Source: the comments of facetAwareSegment, which post() calls with 300 for splitLongPost: "without breaking facets"; the check
# there asks whether a facet began before the last letter, and steps back to one letter where it cannot step out. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "@skyware/bot@0.3.12" >>npm.log 2>&1
cat >split.mjs <<'JS'
import { facetAwareSegment } from "@skyware/bot";

function split(before, linked, after) {
  const index = { byteStart: before.length, byteEnd: before.length + linked.length };
  const features = [{ $type: "app.bsky.richtext.facet#link", uri: "https://x.example" }];
  return facetAwareSegment(before + linked + after, 300, [{ index, features }]);
}
for (const length of [297, 298, 299]) {
  const posts = split("a".repeat(length), "@anna.example", " likes tea");
  const shown = posts.map(({ text, facets }) => `"${text.slice(0, 13)}...${text.slice(-3)}" facets ${facets.length}`);
  console.log(`mention behind ${length} letters: ${shown.join(", ")}`);
}
for (const length of [250, 299, 310, 400]) {
  const posts = split("Read: ", "b".repeat(length), "");
  const single = posts.filter(({ text }) => text.length === 1).length;
  const facets = posts.reduce((sum, post) => sum + post.facets.length, 0);
  console.log(`linked text of ${length}: ${posts.length} posts, ${single} of one letter, ${facets} with the link`);
}
JS
timeout 30 node split.mjs | tee seen
cat >expected <<'TEXT'
mention behind 297 letters: "aaaaaaaaaaaaa...aaa" facets 0, "@anna.example...tea" facets 1
mention behind 298 letters: "aaaaaaaaaaaaa...aaa" facets 0, "@anna.example...tea" facets 1
mention behind 299 letters: "aaaaaaaaaaaaa...aa@" facets 0, "anna.example ...tea" facets 0
linked text of 250: 1 posts, 0 of one letter, 1 with the link
linked text of 299: 2 posts, 0 of one letter, 1 with the link
linked text of 310: 13 posts, 11 of one letter, 0 with the link
linked text of 400: 103 posts, 101 of one letter, 0 with the link
TEXT
cmp seen expected
