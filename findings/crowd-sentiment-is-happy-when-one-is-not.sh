#!/bin/sh
# crowd-sentiment 1.1.7 (npm, Node 20), a port of VADER, which gives a mark from -1 to 1 to what people feel. The word "not" turns
# nothing round: "I am not happy" is as happy as "I am happy" (0.57), "I do not like olives" likes them, and "I am not sad" is sad.
# "Don't", "isn't" and "never" work. Its list of words for developers has "not" with the value 0, and a word on the list does not
# count as one that turns its neighbours round; VADER's own list has no "not". The example of its README has another mark, too.
# Source: its README: "Javascript port of the VADER sentiment analysis tool", which names negations ("not good") among its rules,
# and "VADER is very smart, handsome, and funny" with a compound of 0.8545. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "crowd-sentiment@1.1.7" "vader-sentiment@1.1.3" >>npm.log 2>&1
cat >feel.cjs <<'JS'
const crowd = require("crowd-sentiment").SentimentIntensityAnalyzer;
const vader = require("vader-sentiment").SentimentIntensityAnalyzer;

const sentences = [
  "I am happy", "I am not happy", "I do not like olives", "I don't like olives", "I am not sad", "I am never sad",
  "Ben can not help", "VADER is very smart, handsome, and funny",
];
for (const said of sentences) {
  console.log(`${said}: ${crowd.polarity_scores(said).compound}, vader-sentiment ${vader.polarity_scores(said).compound}`);
}
JS
node feel.cjs >seen
cat seen
cat >expected <<'TEXT'
I am happy: 0.5719, vader-sentiment 0.5719
I am not happy: 0.5719, vader-sentiment -0.4585
I do not like olives: 0.3612, vader-sentiment -0.2755
I don't like olives: -0.2755, vader-sentiment -0.2755
I am not sad: -0.4767, vader-sentiment 0.3724
I am never sad: 0.3724, vader-sentiment 0.3724
Ben can not help: 0.4019, vader-sentiment -0.3089
VADER is very smart, handsome, and funny: 0.8258, vader-sentiment 0.8545
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
