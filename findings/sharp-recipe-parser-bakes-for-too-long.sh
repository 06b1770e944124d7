#!/bin/sh
# @jlucaspains/sharp-recipe-parser 2.1.0 (npm, Node 20), which reads recipes in English and in the Portuguese of Brazil. What
# takes 45 minutes to an hour takes an hour and three quarters: of two times it makes a sum, also where the second is the
# longest that it may be. A tablespoon, T, is a teaspoon. A number ends at its comma, and what follows is no longer the
# ingredient: 1,000 g of flour are 1 of nothing, and in Portuguese, in which the comma is the point, 1,5 kg are 1 as well, and
# 0,5 kg are 0. Twenty-two eggs are 2, if they are written without a hyphen. No result says that something was not read.
# Source: the package's readme.md, in which the readers of instructions and of ingredients give total time, quantity, unit and
# ingredient, for en-US and pt-BR; and the languages' own rules for numbers (CLDR: the decimal sign of pt is a comma, that of
# groups in en is one). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@jlucaspains/sharp-recipe-parser@2.1.0"
cat >read.mjs <<'JS'
import { parseIngredient, parseInstruction } from "@jlucaspains/sharp-recipe-parser";

for (const line of ["Bake for 45 to 60 minutes", "Bake for 45 minutes to 1 hour"]) {
  console.log(line, "->", parseInstruction(line, "en-US", {}).totalTimeInSeconds / 60, "minutes");
}
const lines = [
  ["en-US", "2T sugar"], ["en-US", "2 tbsp sugar"], ["en-US", "1000 g flour"], ["en-US", "1,000 g flour"],
  ["en-US", "twenty two eggs"], ["pt-BR", "1.5 kg de carne"], ["pt-BR", "1,5 kg de carne"], ["pt-BR", "0,5 kg de carne"],
];
for (const [language, line] of lines) {
  const { quantity, unit, ingredient } = parseIngredient(line, language, {});
  console.log(`${language} ${line} ->`, JSON.stringify([quantity, unit, ingredient]));
}
JS
node read.mjs | tee seen
cat >expected <<'TEXT'
Bake for 45 to 60 minutes -> 60 minutes
Bake for 45 minutes to 1 hour -> 105 minutes
en-US 2T sugar -> [2,"teaspoon","sugar"]
en-US 2 tbsp sugar -> [2,"tablespoon","sugar"]
en-US 1000 g flour -> [1000,"gram","flour"]
en-US 1,000 g flour -> [1,"",""]
en-US twenty two eggs -> [2,"","eggs"]
pt-BR 1.5 kg de carne -> [1.5,"quilograma","carne"]
pt-BR 1,5 kg de carne -> [1,"",""]
pt-BR 0,5 kg de carne -> [0,"",""]
TEXT
cmp seen expected
