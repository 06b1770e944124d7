#!/bin/sh
# rolldice 1.16-1+b3 (Debian 12), which throws the dice of most role playing games. A capital D is dropped without a word, and
# with it the number and the sides: "2D6" throws one die of six, and so does "3D20+2", with two added. Of "2d6+1d4" the two
# dice are thrown away and 1d4+1 is thrown, of "10+1d6" nine are lost, and "1d6+2-1" is 1d6-1: of each kind of part the last
# is kept. All of them end with exit status 0.
# Source: its manual page, "It will try to parse any different string containing the same sections in the best way it can";
# "{+/-#} ... the modifier to be added or subtracted". Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q "rolldice=1.16-1+b3" >apt.log 2>&1
dpkg -x rolldice_1.16*.deb .
for typed in 2d6 2D6 3D20+2 2d6+1d4 10+1d6 1d6+2-1; do
  for _ in $(seq 400); do usr/games/rolldice "$typed"; done | sort -n | sed -n '1p;$p' | tr '\n' ' ' >ends; echo >>ends
  read -r least most <ends
  echo "$typed: $least to $most in 400 throws"
done >seen
cat seen
cat >expected <<'TEXT'
2d6: 2 to 12 in 400 throws
2D6: 1 to 6 in 400 throws
3D20+2: 3 to 8 in 400 throws
2d6+1d4: 2 to 5 in 400 throws
10+1d6: 2 to 7 in 400 throws
1d6+2-1: 0 to 5 in 400 throws
TEXT
cmp seen expected
