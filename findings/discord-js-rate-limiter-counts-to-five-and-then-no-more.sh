#!/bin/sh
# discord.js-rate-limiter 1.3.2 with limiter 2.1.0 (npm, Node 20), a limit for each member of what a bot is asked for. Of "5 in 2 seconds" the
# first five are counted. Once a fifth of the time has passed and one more would be allowed, all are, until the two seconds are over:
# 25 are let through. Then the member is made to wait for what was let through, refused for more than two seconds more,
# though nobody asks any more. With one in two seconds, the example of its README, it counts right.
# Source: documentation of the constructor: "Amount of times an action can be done within an interval. Ex: 2 would mean 2 times"; take in
# rate-limiter.js does not await removeTokens, which in limiter waits for the next interval before it takes. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >log
npm install --no-audit --no-fund --silent --legacy-peer-deps discord.js-rate-limiter@1.3.2 limiter@2.1.0 >log
cat >limit.cjs <<'JS'
const { setTimeout: sleep } = require("timers/promises");
const { RateLimiter } = require("discord.js-rate-limiter");

(async () => {
  const limiter = new RateLimiter(5, 2000);
  const start = Date.now();
  for (const at of [0, 600, 1500, 2500, 4500]) {
    await sleep(Math.max(0, start + at - Date.now()));
    let allowed = 0;
    for (let asked = 0; asked < 10; asked++) if (!limiter.take("Ada")) allowed += 1;
    console.log(`after ${at} ms: ${allowed} of 10`);
  }
  process.exit();
})();
JS
node limit.cjs >seen
cat seen
cat >expected <<'TEXT'
after 0 ms: 5 of 10
after 600 ms: 10 of 10
after 1500 ms: 10 of 10
after 2500 ms: 0 of 10
after 4500 ms: 0 of 10
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
