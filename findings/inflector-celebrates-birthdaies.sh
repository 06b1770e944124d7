#!/bin/sh
# inflector 0.0.1 (npm, Node 20), which gives words their plural and their singular. Of more than one birthday it makes "birthdaies",
# of keys "keies" and of boys "boies": each y at the end becomes "ies". A box has "boxs" and a wish "wishs". Words on s lose it: a bus
# is "a bu" in the singular, gas "ga", news "new" and glass "glas", and "Chris" is "chri".
# Source: its README: "Inflector for Node.js", "'users'.singular(); // -> user", and any grammar: behind a vowel y stays, and behind x
# and sh comes "es". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "inflector@0.0.1" >>npm.log 2>&1
cat >say.cjs <<'JS'
require("inflector");

for (const word of ["user", "city", "birthday", "key", "boy", "box", "wish"]) console.log(word, "->", word.plural());
for (const word of ["users", "cities", "bus", "gas", "news", "glass", "Chris"]) console.log(word, "<-", word.singular());
JS
node say.cjs >seen
cat seen
cat >expected <<'TEXT'
user -> users
city -> cities
birthday -> birthdaies
key -> keies
boy -> boies
box -> boxs
wish -> wishes
users <- user
cities <- city
bus <- bu
gas <- ga
news <- new
glass <- glas
Chris <- chri
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
