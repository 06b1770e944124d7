#!/bin/sh
# discord-giveaways 6.0.1 with discord.js 14.28.1 (npm, Node 20), giveaways on Discord whose entrants press a reaction. If
# those who may not win are many, as where only members with a role may ("exemptMembers") or people left the server, a
# giveaway ends with "no winner" although somebody may win. While it looks for another entrant it takes those who may not out
# of the list and counts up to the list's length, so it gives up after half of them. Of 20 entrants of whom one may win, that
# one wins in about half of the draws; of 3 winners, where 3 may win, all are there in four of ten. A reroll draws anew, so
# the moderators see that somebody could have won.
# Source: roll in src/Giveaway.js of the package ("for (let i = 0; i < users.size; i++)" around users.delete); its README:
# "exemptMembers: function to filter members. If true is returned, the member will not be able to win". Math.random has a seed
# here. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts discord-giveaways@6.0.1 discord.js@14.28.1 >>npm.log 2>&1
cat >draw.cjs <<'JS'
const { Collection } = require("discord.js");
const { Giveaway } = require("discord-giveaways");

let seed = 1;
Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;

async function draw(entrants, eligible, winnerCount) {
  const members = { fetch: async (id) => ({ id, permissions: { has: () => false } }) };
  const giveaway = Object.create(Giveaway.prototype, {
    exemptPermissions: { value: [] },
    bonusEntries: { value: [] },
    isDrop: { value: false },
    exemptMembers: { value: async (member) => Number(member.id) >= eligible },
  });
  Object.assign(giveaway, { message: { guild: { members } }, client: { options: { intents: 0 } }, winnerIds: [] });
  const users = Array.from({ length: entrants }, (_, id) => [String(id), { id: String(id) }]);
  giveaway.fetchAllEntrants = async () => new Collection(users);
  return (await giveaway.roll(winnerCount)).length;
}

async function main() {
  for (const [entrants, eligible, winnerCount] of [[20, 20, 1], [20, 1, 1], [20, 3, 3], [100, 1, 1]]) {
    const counts = {};
    for (let round = 0; round < 1000; round++) {
      const winners = await draw(entrants, eligible, winnerCount);
      counts[winners] = (counts[winners] ?? 0) + 1;
    }
    console.log(`${entrants} entrants, ${eligible} may win, ${winnerCount} to be drawn; draws by number of winners:`, JSON.stringify(counts));
  }
}

main();
JS
node draw.cjs >seen
cat seen
cat >expected <<'TEXT'
20 entrants, 20 may win, 1 to be drawn; draws by number of winners: {"1":1000}
20 entrants, 1 may win, 1 to be drawn; draws by number of winners: {"0":472,"1":528}
20 entrants, 3 may win, 3 to be drawn; draws by number of winners: {"1":43,"2":571,"3":386}
100 entrants, 1 may win, 1 to be drawn; draws by number of winners: {"0":453,"1":547}
TEXT
cmp seen expected
