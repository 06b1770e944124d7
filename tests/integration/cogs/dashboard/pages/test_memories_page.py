"""The list of memories and the review of all servers, without a browser."""

import re
from unittest.mock import AsyncMock

import pytest

from cogs.dashboard.app import create_app
from cogs.dashboard.web.context import Server
from cogs.dashboard.web.decisions import UNDO_S, PendingDecisions
from tests.conftest import forget_scrubbing
from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD
from tests.fakes.dashboard import BEARER, FakeDiscord, open_house, visit
from utils.common.clock import Clock
from utils.models.admin import MemoryFilter
from utils.models.memory import Consent, Member, Status
from utils.models.operator import OPERATOR

EVE = Member(GUILD + 1, 30)
NAMES = {ADA: "Ada", BOB: "Bob", EVE: "Eve"}


class Desk:
    """The operator's pages over two servers; ``home`` is where members talk."""

    def __init__(self, context, home):
        self.context, self.home = context, home
        self.app = create_app(context)
        self.http = visit(self.app, **BEARER)

    async def tell(self, text, member=ADA):
        return await self.home.tell(text, member, author_name=NAMES[member])

    async def manual(self, *guild_ids):
        """Let moderators decide about what is learned from now on."""
        for guild_id in guild_ids:
            await self.context.app.guilds.settings.set_policy(
                guild_id, {"mode": "manual"}, actor_id=1, reason=""
            )

    async def ids(self, **wanted):
        rows = (await self.context.app.admin.browser.items(MemoryFilter(**wanted))).rows
        return {row.text: row.id for row in rows}

    async def listed(self, query=""):
        """The texts that the list shows, in its order."""
        page = await self.http.get(f"/memories?{query}")
        return re.findall(r'data-key="e"><bdi>(.*?)</bdi>', page.text)

    async def looks_at(self, member):
        page = await self.context.app.admin.browser.audit(member.guild_id, member.user_id, "viewed")
        return len([line for line in page.rows if line.actor_id == OPERATOR])


@pytest.fixture
async def desk(home, monkeypatch):
    servers = [Server(GUILD, "Home"), Server(EVE.guild_id, "Away")]
    monkeypatch.setattr(FakeDiscord, "servers", lambda _: servers)
    async with open_house(home.url, home.clock) as context:
        await home.keeper.set_consent(EVE, Consent.LASTING)
        made = Desk(context, home)
        async with made.http:
            yield made
        forget_scrubbing(context.app.database)


async def test_memories_of_all_servers_are_searched_filtered_and_sorted(desk):
    await desk.tell("likes tea")
    await desk.tell("likes milk", BOB)
    await desk.tell("has a bicycle", EVE)
    for choice, texts in (
        ("", ["has a bicycle", "likes milk", "likes tea"]),
        ("sort=text", ["has a bicycle", "likes milk", "likes tea"]),
        ("sort=-text", ["likes tea", "likes milk", "has a bicycle"]),
        ("text=like", ["likes milk", "likes tea"]),
        (f"guild={EVE.guild_id}", ["has a bicycle"]),
        ("member=eve", ["has a bicycle"]),
        ("member=Eve+(30)", ["has a bicycle"]),
        ("member=30", ["has a bicycle"]),
        ("status=proposed", []),
        ("form=quote", []),
    ):
        assert await desk.listed(choice) == texts, choice
    page = (await desk.http.get("/memories?sort=text&member=Bob")).text
    assert 'value="Bob (20)"' in page
    assert 'aria-sort="ascending"><a class="sort" href="/memories?member=' in page
    assert "sort=-text" in page
    for wrong, sentence in (("member=Zoe", "knows no member"), ("kind=odd", "Unknown choice")):
        refused = await desk.http.get(f"/memories?{wrong}")
        assert refused.status_code == 400 and sentence in refused.text
    assert [await desk.looks_at(one) for one in (ADA, BOB, EVE)] == [1, 1, 1]


async def test_several_are_forgotten_after_a_question_and_the_filter_stays(desk):
    for text in ("likes tea", "likes milk", "likes rain"):
        await desk.tell(text)
    ids = await desk.ids()
    form = {"ids": [ids["likes tea"], ids["likes milk"]], "back": "text=like&sort=text"}
    asked = await desk.http.post("/memories/selected", data=form | {"action": "forget"})
    assert "Forget 2 memories?" in asked.text and "likes rain" not in asked.text
    assert len(await desk.listed()) == 3
    done = await desk.http.post("/memories/selected/confirmed", data=form | {"action": "forget"})
    assert done.headers["location"] == "/memories?text=like&sort=text&forgotten=2"
    assert "2 memories are forgotten." in (await desk.http.get(done.headers["location"])).text
    assert (await desk.http.get(f"/memories?forgotten={'9' * 5000}&left=x")).status_code == 200
    assert await desk.home.known() == ["likes rain"]
    again = await desk.http.post("/memories/selected/confirmed", data=form | {"action": "forget"})
    assert "forgotten" not in again.headers["location"]


# --- review ---------------------------------------------------------------------------------------


async def test_what_waits_in_all_servers_is_shown_with_its_sentence_context_and_link(desk):
    await desk.tell("nice weather today", BOB)
    await desk.manual(GUILD, EVE.guild_id)
    event = await desk.tell("likes tea")
    await desk.tell("has a bicycle", EVE)
    page = (await desk.http.get("/review")).text
    entries = page.split('<li class="card review"')[1:]
    assert ["likes tea" in entries[0], "has a bicycle" in entries[1]] == [True, True]
    assert f"/{GUILD}/{CHANNEL}/{event.message_id}" in entries[0]
    assert "nice weather today" in entries[0] and "#general" in entries[0]
    assert "So: nice weather today!" in entries[0]  # what Kith said
    assert "nice weather" not in entries[1]  # another server
    assert [await desk.looks_at(one) for one in (ADA, BOB, EVE)] == [1, 1, 1]
    assert "has a bicycle" not in (await desk.http.get(f"/review?guild={GUILD}")).text


async def test_a_decision_is_carried_out_after_a_while_in_which_it_can_be_undone(desk):
    await desk.manual(GUILD)
    await desk.tell("likes tea")
    await desk.tell("likes milk")
    tea, milk = (
        f"/review/{GUILD}/{memory_id}" for memory_id in sorted((await desk.ids()).values())
    )
    part = {"hx-request": "true"}
    shown = await desk.http.post(
        tea, data={"decision": "reject"}, headers=part, follow_redirects=True
    )
    assert "Rejected" in shown.text and "Undo" in shown.text and "<html" not in shown.text
    await desk.http.post(milk, data={"decision": "approve"}, headers=part)
    assert len(await desk.ids(status=Status.PROPOSED)) == 2
    assert "Undo" in (await desk.http.get("/review")).text
    undone = await desk.http.post(
        tea, data={"decision": "undo"}, headers=part, follow_redirects=True
    )
    assert "Reject" in undone.text and "Undo" not in undone.text
    desk.home.clock.advance(UNDO_S)
    await desk.app.state.decisions.carry_out_all()  # waits for what has begun
    assert await desk.home.known() == ["likes milk", "likes tea"]
    assert [*(await desk.ids(status=Status.PROPOSED))] == ["likes tea"]
    assert "Approved, and used" in (await desk.http.get(milk)).text
    whole = await desk.http.post(tea, data={"decision": "reject", "guild": str(GUILD)})
    assert whole.headers["location"].startswith(f"/review?guild={GUILD}#waiting-")
    await desk.app.state.decisions.carry_out_all()  # as when the dashboard stops
    assert await desk.home.known() == ["likes milk"]
    assert "Rejected and erased" in (await desk.http.get(tea)).text
    for path, decision in ((tea, "approve"), (milk, "reject"), (f"/review/{GUILD}/0", "approve")):
        assert (await desk.http.post(path, data={"decision": decision})).status_code == 409
    late = await desk.http.post(
        milk, data={"decision": "reject"}, headers=part, follow_redirects=True
    )
    assert "Approved, and used" in late.text and "<html" not in late.text


async def test_a_decision_that_is_undone_meanwhile_keeps_none_from_being_carried_out():
    decisions, last = PendingDecisions(Clock()), AsyncMock()
    for number, act in enumerate([AsyncMock(side_effect=lambda: decisions.undo(1)), last, last]):
        decisions.add(number, act, approve=True)
    await decisions.carry_out_all()
    last.assert_awaited_once()


# --- names, looks -------------------------------------------------------------------------------


async def test_the_audit_says_the_words_but_no_confidential_ones_and_notes_the_look(desk):
    await desk.tell("likes tea")
    await desk.tell("owes Zed money, keep this between us", BOB)
    page = (await desk.http.get("/audit")).text
    (path,) = re.findall(r'href="(/memories/\d+)"><bdi>likes tea</bdi>', page)
    assert f"Channel {CHANNEL}" not in (await desk.http.get(path)).text  # but its name
    assert re.search(r'href="/memories/\d+"><bdi>#\d+</bdi>', page)
    assert "Zed" not in page and "<bdi>Kith</bdi>" in page  # who learned it
    assert (await desk.looks_at(ADA), await desk.looks_at(BOB)) == (1, 0)
