#!/bin/sh
# social-link-parser 0.6.1 (npm, Node 20), which says whose profile a link is. Pages that belong to nobody are people: "home"
# and "explore" on X, "notifications" on GitHub, "reels" on Instagram, "marketplace" on Facebook, all valid. Pages of somebody
# are nobody's: a profile on YouTube, Twitch or Reddit opened on one of its tabs, X's likes, GitHub with "www.", and LinkedIn's
# profile as people in Germany copy it, all of them not valid. A story has the name of whose it is as the id of the story.
# Source: its README, "handles all URL variations (with/without protocol, www, mobile domains, short URLs) and validates
# usernames according to each platform's rules", "LinkedIn - Profiles", "YouTube - Channels". Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --ignore-scripts social-link-parser@0.6.1 >>npm.log 2>&1
cat >try.mjs <<'JS'
import { parse } from "social-link-parser";
const links = [
  "x.com/adalovelace", "x.com/home", "x.com/explore", "github.com/adalovelace", "www.github.com/adalovelace",
  "github.com/notifications", "www.instagram.com/reels/", "www.facebook.com/marketplace", "www.youtube.com/@adalovelace",
  "www.youtube.com/@adalovelace/videos", "twitch.tv/adalovelace",
  "twitch.tv/adalovelace/videos", "www.reddit.com/user/adalovelace", "www.reddit.com/user/adalovelace/comments/",
  "x.com/adalovelace/likes", "www.linkedin.com/in/adalovelace/", "de.linkedin.com/in/adalovelace",
  "www.instagram.com/stories/adalovelace/3100000000000000000/",
];
for (const link of links) {
  const { username, ids, isValid } = parse(`https://${link}`);
  console.log(link, isValid ? `is ${username ?? "nobody"}'s ${JSON.stringify(ids)}` : "is not valid");
}
JS
node try.mjs | tee seen
cat >expected <<'TEXT'
x.com/adalovelace is adalovelace's {}
x.com/home is home's {}
x.com/explore is explore's {}
github.com/adalovelace is adalovelace's {}
www.github.com/adalovelace is not valid
github.com/notifications is notifications's {}
www.instagram.com/reels/ is reels's {}
www.facebook.com/marketplace is marketplace's {}
www.youtube.com/@adalovelace is adalovelace's {}
www.youtube.com/@adalovelace/videos is not valid
twitch.tv/adalovelace is adalovelace's {}
twitch.tv/adalovelace/videos is not valid
www.reddit.com/user/adalovelace is adalovelace's {}
www.reddit.com/user/adalovelace/comments/ is not valid
x.com/adalovelace/likes is not valid
www.linkedin.com/in/adalovelace/ is adalovelace's {}
de.linkedin.com/in/adalovelace is not valid
www.instagram.com/stories/adalovelace/3100000000000000000/ is nobody's {"storyId":"adalovelace","storyItemId":"3100000000000000000"}
TEXT
cmp seen expected
