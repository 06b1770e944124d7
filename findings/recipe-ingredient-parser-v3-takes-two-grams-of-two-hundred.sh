#!/bin/sh
# recipe-ingredient-parser-v3 1.5.0 (npm, Node.js 20), which reads ingredients for shopping lists, in English. Of a number in
# words only the first word counts and the rest is food: "two hundred grams sugar" are 2 g of "hundred  sugar", "twenty five
# grams butter" 20 g of "five  butter", "one and a half cups milk" one cup, "half a cup" none. A range keeps its first number:
# "3 to 4 cloves garlic" is 3 of "to 4  garlic", though there are fields for both ends; "1,5 kg" is 1, "500g flour" nothing at
# all, and of "1 cup and 2 tablespoons" one tablespoon is left. "Salt to taste" are teaspoons, for their T.
# Source: its README: "added support for numbers written in words (for example six cups milk)", "minQty: 1, maxQty: 2",
# "Natural language parser for recipes and lists of ingredients". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "recipe-ingredient-parser-v3@1.5.0" >>npm.log 2>&1
cat >read.js <<'JS'
const { parse } = require("recipe-ingredient-parser-v3");

for (const text of [
  "six cups of milk",
  "1 1/2 cups of milk",
  "two hundred grams sugar",
  "twenty five grams butter",
  "one and a half cups milk",
  "half a cup of sugar",
  "3 to 4 cloves garlic",
  "2 - 3 apples",
  "1,5 kg flour",
  "500g flour",
  "1 cup and 2 tablespoons milk",
  "salt to taste",
]) {
  const { quantity, minQty, maxQty, unit, ingredient } = parse(text, "eng");
  console.log(`${text}: ${quantity} (${minQty} to ${maxQty}) ${unit} of ${JSON.stringify(ingredient)}`);
}
JS
node read.js >seen
cat seen
cat >expected <<'TEXT'
six cups of milk: 6 (6 to 6) cup of "milk"
1 1/2 cups of milk: 1.5 (1.5 to 1.5) cup of "milk"
two hundred grams sugar: 2 (2 to 2) gram of "hundred  sugar"
twenty five grams butter: 20 (20 to 20) gram of "five  butter"
one and a half cups milk: 1 (1 to 1) cup of "and a half  milk"
half a cup of sugar: 0 (0 to 0) cup of "half a  of sugar"
3 to 4 cloves garlic: 3 (3 to 3) clove of "to 4  garlic"
2 - 3 apples: 2 (2 to 2) null of "- 3 apples"
1,5 kg flour: 1 (1 to 1) kilogram of ",5 flour"
500g flour: 0 (0 to 0) q.b. of "500g flour"
1 cup and 2 tablespoons milk: 1 (1 to 1) tablespoon of "cup and 2  milk"
salt to taste: 0 (0 to 0) teaspoon of "salt  taste"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
