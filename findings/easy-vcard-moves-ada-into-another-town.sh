#!/bin/sh
# @covve/easy-vcard 1.1.1 (npm, Node 20), which writes vCards. A semicolon in what one enters is written as it is, where it parts the
# fields: who lives at "1 Main St.; flat 2" in Leeds, UK, lives in the town "flat 2", in the region Leeds and in the country LS1; no post
# code is left, and the UK is one field too many. vcard4-ts 0.4.1 reads it back here. A line end in a note is escaped.
# Source: its README: "Create vcards and format to strings to export"; RFC 6350, 3.4: a semicolon in a field of a compound property
# "MUST be escaped with a BACKSLASH character". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@covve/easy-vcard@1.1.1" "vcard4-ts@0.4.1" >>npm.log 2>&1
cat >write.cjs <<'JS'
const { VCard } = require("@covve/easy-vcard");
const { parseVCards } = require("vcard4-ts");

const card = new VCard();
card.setFullName("Ada Lovelace");
card.addFirstName("Ada");
card.addLastName("Lovelace");
card.addAddress("1 Main St.; flat 2", "Leeds", "", "LS1", "UK");
const written = card.toVcard();
console.log(written.split("\r\n").filter((line) => /^ADR/.test(line)).join("\n"));
const [{ ADR }] = parseVCards(written.endsWith("\r\n") ? written : `${written}\r\n`).vCards;
console.log(JSON.stringify(ADR[0].value));
JS
node write.cjs >seen
cat seen
cat >expected <<'TEXT'
ADR:;;1 Main St.; flat 2;Leeds;;LS1;UK
{"postOfficeBox":[""],"extendedAddress":[""],"streetAddress":["1 Main St."],"locality":[" flat 2"],"region":["Leeds"],"postalCode":[""],"countryName":["LS1"]}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
