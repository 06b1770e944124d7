#!/bin/sh
# relationship.js 1.2.9 (npm, Node 20), which says in Chinese how relatives are called. A cousin (表哥, 表妹 and so on) is a child of
# the father's sister, of the mother's brother or of the mother's sister. The mother's sister is left out as soon as one asks for more:
# the mother of a 表哥 can be 姑妈 or 舅妈, never 姨妈, his father 姑丈 or 舅舅, never 姨丈, and a 表哥 by himself is of two kinds.
# Asked from the other side it knows that she has sons: 姨表哥的妈妈 is 姨妈. The son of 姨妈 is called 姨哥, not 表哥.
# Source: its README, by which it computes what relatives are called in a Chinese family; any Chinese dictionary: 表 covers the children
# of 姑, 舅 and 姨 (姑表, 舅表, 姨表). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "relationship.js@1.2.9" >>npm.log 2>&1
cat >who.cjs <<'JS'
const module_ = require("relationship.js");
const relationship = module_.default || module_;

for (const text of ["表哥", "表哥的妈妈", "表哥的爸爸", "表姐的妈妈", "姨表哥的妈妈", "姨妈的儿子"]) {
  console.log(`${text}: ${relationship({ text }).join(" ")}`);
}
JS
node who.cjs >seen
cat seen
cat >expected <<'TEXT'
表哥: 姑表哥 舅表哥
表哥的妈妈: 姑妈 舅妈
表哥的爸爸: 姑丈 舅舅
表姐的妈妈: 姑妈 舅妈
姨表哥的妈妈: 姨妈
姨妈的儿子: 姨哥 姨弟
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
