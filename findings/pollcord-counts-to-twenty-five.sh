#!/bin/sh
# Pollcord 0.1b2 with aiohttp 3.14.1 (PyPI, CPython 3.11), polls of Discord's for bots without a library. Votes are counted by
# listing who voted, and the list is asked for once, without a limit: Discord then names 25. So the counts of a poll that went
# 60 to 30 are 25 and 25, a draw, and of those who voted for tea only the first 25 would get a role or a reminder. The results
# that Discord itself counts, in the poll's message, are not read.
# Source: docs.discord.com, "Get Answer Voters" (limit: 1-100, default 25; after: users after this id); get_vote_counts, which
# "fetches the number of votes per option", and fetch_option_users in Pollcord/client.py. The API is played on this machine. Seen
# on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "Pollcord==0.1b2" "aiohttp==3.14.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
import asyncio

from aiohttp import web
from Pollcord import PollClient

VOTERS = {1: range(1000, 1060), 2: range(2000, 2030)}
asked = []


async def post(request):
    poll = (await request.json())["poll"]
    return web.json_response({"id": "31", "channel_id": "11", "content": "", "poll": poll})


async def voters(request):
    asked.append(dict(request.query))
    after, limit = int(request.query.get("after", 0)), int(request.query.get("limit", 25))
    ids = [one for one in VOTERS[int(request.match_info["answer"])] if one > after]
    return web.json_response({"users": [{"id": str(one), "username": f"user{one}"} for one in ids[:limit]]})


async def main():
    app = web.Application()
    app.router.add_post("/channels/11/messages", post)
    app.router.add_get("/channels/11/polls/31/answers/{answer}", voters)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    PollClient.BASE_URL = f"http://127.0.0.1:{runner.addresses[0][1]}"
    async with PollClient("token") as polls:
        poll = await polls.create_poll(11, "Tea or cake?", ["Tea", "Cake"])
        print("counts:", dict(zip(poll.options, await polls.get_vote_counts(poll))))
        print("voters:", [len(users) for users in await polls.get_vote_users(poll)])
        poll.end_task.cancel()
    print("voted:", [len(ids) for ids in VOTERS.values()], "asked for:", asked)
    await runner.cleanup()


asyncio.run(main())
PY
cat seen
cat >expected <<'TEXT'
counts: {'Tea': 25, 'Cake': 25}
voters: [25, 25]
voted: [60, 30] asked for: [{}, {}, {}, {}]
TEXT
cmp expected seen
