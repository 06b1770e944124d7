#!/bin/sh
# @fedify/markdown-it-hashtag 0.3.0 (npm, Node 20), with markdown-it 14.1.0, which finds "Mastodon-style #hashtags". Numbers are
# hashtags here: "room #102", "the #1 reason" and "issue #7" become the tags #102, #1 and #7, linked and listed for the post. Tags
# begin in the middle of words too: "C#" is none, but "AC#DC" is #DC, "Anna#1234", as people were called on Discord, is #1234, and of
# an address the anchor is one: "https://x.example/rules#dogs" is the tag #dogs. A separator that Mastodon allows within a tag ends
# it: of the "middle dot" in "#caffe·latte" only #caffe is left. On Mastodon each of these is the other way round.
# Source: the README ("Mastodon-style #hashtags"); HASHTAG_RE in app/models/tag.rb of mastodon/mastodon, which begins at a space or the
# text's start, demands a letter and has the middle dot among its separators; env.hashtags is what the README offers for "all
# hashtags in a document". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@fedify/markdown-it-hashtag@0.3.0" "markdown-it@14.1.0" >>npm.log 2>&1
cat >tags.mjs <<'JS'
import { hashtag } from "@fedify/markdown-it-hashtag";
import MarkdownIt from "markdown-it";

const parser = new MarkdownIt();
parser.use(hashtag, { link: (tag) => `tag:${tag}` });
const posts = ["I love #FooBar", "We meet in room #102", "the #1 reason is issue #7", "I write C#", "AC#DC", "ask Anna#1234"];
for (const post of [...posts, "see https://x.example/rules#dogs", "a #caffe·latte", "`#none`", "2026 was #good"]) {
  const found = {};
  const html = parser.render(post, found);
  console.log(JSON.stringify(post), "tags", JSON.stringify(found.hashtags ?? []), "links", html.split("<a ").length - 1);
}
JS
node tags.mjs | tee seen
cat >expected <<'TEXT'
"I love #FooBar" tags ["#FooBar"] links 1
"We meet in room #102" tags ["#102"] links 1
"the #1 reason is issue #7" tags ["#1","#7"] links 2
"I write C#" tags [] links 0
"AC#DC" tags ["#DC"] links 1
"ask Anna#1234" tags ["#1234"] links 1
"see https://x.example/rules#dogs" tags ["#dogs"] links 1
"a #caffe·latte" tags ["#caffe"] links 1
"`#none`" tags [] links 0
"2026 was #good" tags ["#good"] links 1
TEXT
cmp seen expected
