#!/bin/sh
# multilang-sentiment 2.0.0 (npm, Node 20), which adds up marks of words from a list. A word that is not on the list is taken for one
# that looks like it: "stand" for "stank" and "scarf" for "scare", each -2. So "I can stand here" is unkind, and since "can't" turns
# what follows round, "I can't stand Ben" is said of a friend: category "positive", 2. "A scarf for Ada" is a bad present.
# Source: its README: "Sentiment analysis is performed by cross-checking the string tokens (words, emojis) with the AFINN list", which
# has neither "stand" nor "scarf"; the result's "words" are "words from input string that were found in AFINN list". Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "multilang-sentiment@2.0.0" >>npm.log 2>&1
cat >feel.cjs <<'JS'
const feel = require("multilang-sentiment");

for (const said of ["I can stand here", "I can't stand Ben", "A scarf for Ada", "A coat for Ada", "I do not like olives"]) {
  const { score, category, words } = feel(said, "en");
  console.log(`${said}: ${score} ${category} [${words}]`);
}
JS
node feel.cjs >seen
cat seen
cat >expected <<'TEXT'
I can stand here: -2 negative [stank]
I can't stand Ben: 2 positive [stank]
A scarf for Ada: -2 negative [scare]
A coat for Ada: 0 neutral []
I do not like olives: -2 negative [like]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
