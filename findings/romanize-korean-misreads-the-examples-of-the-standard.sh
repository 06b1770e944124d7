#!/bin/sh
# @romanize/korean 0.1.3 (npm, Node.js 20), which writes Korean in Latin letters by the Revised Romanization. Of 24 words that
# the standard gives as examples of sounds that change or stay, 8 come out otherwise: Jongno, a street in Seoul, is "jongro",
# and gachi, "together", is "gati", though haedoji and guji, of the same rule, are right; the added sounds of hangnyeoul and
# allyak are left out, and the H of Mukho and Jiphyeonjeon, which the standard keeps in nouns, is not written.
# Source: its README: "the Revised Romanization is used as it is the official romanization system of South Korea"; the standard
# (Ministry of Culture and Tourism, proclamation 2000-8), chapter 3, article 1, where all these stand. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@romanize/korean@0.1.3" >>npm.log 2>&1
cat >read.js <<'JS'
const { romanize } = require("@romanize/korean");

const examples = {
  백마: "baengma", 신문로: "sinmunno", 종로: "jongno", 왕십리: "wangsimni", 별내: "byeollae", 신라: "silla",
  학여울: "hangnyeoul", 알약: "allyak", 해돋이: "haedoji", 같이: "gachi", 굳이: "guji", 맞히다: "machida", 좋고: "joko",
  놓다: "nota", 잡혀: "japyeo", 낳지: "nachi", 묵호: "mukho", 집현전: "jiphyeonjeon", 압구정: "apgujeong",
  낙동강: "nakdonggang", 죽변: "jukbyeon", 팔당: "paldang", 샛별: "saetbyeol", 울산: "ulsan",
};
const others = Object.entries(examples).filter(([word, latin]) => romanize(word).toLowerCase() !== latin);
for (const [word, latin] of others) console.log(word, latin, romanize(word));
console.log(others.length, "of", Object.keys(examples).length);
JS
node read.js >seen
cat seen
cat >expected <<'TEXT'
신문로 sinmunno sinmullo
종로 jongno jongro
별내 byeollae byeolnae
학여울 hangnyeoul hagyeoul
알약 allyak aryak
같이 gachi gati
묵호 mukho muko
집현전 jiphyeonjeon jipyeonjeon
8 of 24
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
