"""Two processes with the same shard, as in a rolling deploy: both are told everything, and a person
sees one Kith."""

import asyncio
import logging
from collections.abc import Iterator

import pytest

from cogs.maintenance.maintenance import Maintenance
from cogs.sentiment.watch_text import NOTICE
from tests.e2e.den import DAY_S, PATIENCE_S, Den, handles_an_event, is_notice
from tests.e2e.test_watching_e2e import watchful
from tests.fakes.model_server import ChatRequest
from utils.database.admin import jobs
from utils.memory.privacy.pruning import PRUNE_JOB
from utils.models.memory import Consent, Member
from utils.models.sentiment import PassiveMemory


@pytest.fixture(autouse=True)
def nothing_is_a_traceback(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    logging.getLogger("discord").setLevel(logging.ERROR)
    yield
    assert [one.getMessage() for one in caplog.get_records("call") if one.exc_info] == []


SHARED_KITH = {"clients": 2}


@pytest.fixture
def kith(shared_kith: Den) -> Den:
    """Two processes; the model never says the same twice."""
    shared_kith.model.extract_with(watchful)
    shared_kith.model.reply_with(lambda request: f"Answer {len(shared_kith.prompts())}.")
    return shared_kith


async def test_whoever_wants_nothing_stored_is_answered_once_and_by_one_of_them(kith: Den) -> None:
    def at_length(request: ChatRequest) -> str:
        which = len(kith.prompts())
        return "\n".join(f"Line {n} of answer {which}." for n in range(60 * which))

    kith.model.reply_with(at_length)
    await kith.app.memory.editor.set_consent(Member(kith.guild.id, kith.alice.id), Consent.OFF)
    await kith.talk(kith.alice, "hello")
    await kith.calm()
    assert len(kith.prompts()) == 2  # there is nothing by which they could tell sooner
    lines = "\n".join(one.content for one in kith.answers()).split("\n")
    which = int(lines[0].strip(".").rpartition(" ")[2])
    assert lines == [f"Line {n} of answer {which}." for n in range(60 * which)]


@pytest.mark.parametrize("way", ["forget", "off"])
async def test_unstored_words_that_one_process_erases_are_in_no_prompt_of_the_other(
    kith: Den, way: str
) -> None:
    mine = kith.cores[0]
    alice = Member(kith.guild.id, kith.alice.id)
    if way == "forget":
        await mine.memory.editor.set_consent(alice, Consent.OFF)
    else:
        await mine.guilds.settings.set_values(kith.guild.id, frozen=True)
    answer = await kith.talk(kith.alice, "I own a zeppelin")
    await kith.calm()
    if way == "forget":
        await mine.memory.editor.forget_all(alice)
    else:
        await mine.memory.editor.set_consent(alice, Consent.OFF)
    for author in (kith.bob, kith.alice):
        before, shown = len(kith.prompts()), {one.id for one in kith.answers()}
        await kith.talk(author, "what shall we play?")
        await kith.calm()
        asked = kith.prompts()[before:]
        assert len(asked) in (1, 2)
        assert not any("zeppelin" in str(request["messages"]) for request in asked)
        assert len({one.id for one in kith.answers()} - shown) == 1
    if way == "forget":  # the process that gave it may be the other one
        await kith.fake.wait_deleted(answer)


async def test_somebody_new_is_answered_and_asked_for_consent_once(kith: Den) -> None:
    await kith.talk(kith.alice, "I have a dog named Rex")
    await kith.calm()
    said = kith.fake.messages(kith.general, author=kith.fake.bot_user)
    assert [is_notice(one) for one in said] == [False, True]
    assert len(await kith.last_turns()) == 2
    await asyncio.gather(*(app.memory.recorder.settle() for app in kith.cores))
    assert await kith.known_of(kith.alice) == ["has a dog named Rex"]
    assert len(kith.extractions()) == 1


async def test_commands_choices_and_buttons_are_carried_out_once(kith: Den) -> None:
    used = await kith.fake.slash(kith.moderator, kith.general, "mod freeze", {"state": "on"})
    assert "Frozen" in (await used.reply()).content
    assert await kith.fake.autocomplete(kith.moderator, kith.general, "mode set", "mode")
    await kith.app.guilds.settings.set_values(kith.guild.id, frozen=False)
    await kith.talk(kith.alice, "hello")
    notice = await kith.fake.wait_message(kith.general, where=is_notice)
    pressed = await kith.fake.click(kith.alice, notice, "Remember me lastingly")
    await pressed.followup()
    form = await kith.fake.slash(kith.moderator, kith.general, "mode create", {"name": "pirate"})
    sent = await (await form.modal()).submit({"My personality, in your words": "Say arr."})
    await sent.reply()
    await kith.calm()
    for one, count in ((used, 0), (pressed, 1), (form, 0), (sent, 0)):
        assert (set(one.refused) <= {40060}, len(one.followups)) == (True, count)
    assert await kith.app.guilds.personas.names(kith.guild.id) == ("pirate",)


async def watched(kith: Den) -> None:
    """Have the channel watched, and let both know it."""
    await (await kith.fake.slash(kith.moderator, kith.general, "mod watch add", {})).reply()
    for app in kith.cores:
        await app.sentiment.channels.load()


async def test_a_notice_that_was_deleted_is_back_once(kith: Den) -> None:
    await watched(kith)
    (notice,) = kith.answers()
    for _ in range(2):
        held = kith.fake.hold("POST", f"/channels/{kith.general.id}/messages")
        await kith.fake.delete(notice)
        await asyncio.wait_for(held.reached.wait(), PATIENCE_S)
        while len(tasks := [one for one in asyncio.all_tasks() if handles_an_event(one)]) > 1:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        held.release()  # by now the other has seen that somebody is at it
        await kith.calm()
        (notice,) = kith.answers()
        assert notice.content == NOTICE[PassiveMemory.OPT_IN]


async def test_what_one_process_changes_holds_in_the_other_at_its_next_answer(kith: Den) -> None:
    guild_id, alice = kith.guild.id, Member(kith.guild.id, kith.alice.id)
    mine, _ = kith.cores

    async def prompts() -> list[tuple[str, str]]:
        """What the models of both are told next: of manners, and before the question."""
        before = len(kith.prompts())
        await kith.talk(kith.alice, "which dog do I have?")
        await kith.calm()
        told = kith.prompts()[before:]
        assert len(told) == 2
        return [(one["messages"][0]["content"], one["messages"][-1]["content"]) for one in told]

    await kith.talk(kith.alice, "I have a dog named Rex")
    await kith.calm()
    await asyncio.gather(*(app.memory.recorder.settle() for app in kith.cores))
    await mine.guilds.settings.set_values(
        guild_id, frozen=True
    )  # nobody is first where nothing is stored
    assert all("dog named Rex" in words for _, words in await prompts())

    await mine.guilds.settings.set_policy(guild_id, {"recall": False}, actor_id=1, reason="")
    assert not any("Rex" in words for _, words in await prompts())
    await mine.guilds.settings.set_policy(guild_id, {"recall": True}, actor_id=1, reason="")
    await mine.guilds.personas.create(guild_id, "pirate", "Say arr.", actor_id=1)
    await mine.guilds.settings.set_mode(guild_id, "pirate")
    assert all("Say arr." in manner and "Rex" in words for manner, words in await prompts())

    await mine.guilds.personas.edit(guild_id, "pirate", "Say ahoy.", actor_id=1)
    await mine.memory.editor.set_consent(alice, Consent.OFF)
    assert all("ahoy" in manner and "Rex" not in words for manner, words in await prompts())


async def test_each_notes_who_is_gone_of_its_servers_though_one_does_the_daily_job(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[None] = []

    async def reconcile() -> None:
        noted.append(None)

    async with den.awake():
        await den.caught_up()
        maintenance = den.client.get_cog("Maintenance")
        assert isinstance(maintenance, Maintenance)
        assert [worker.name for worker in maintenance.workers if worker.is_running] == [
            *("heartbeat", "uses", "ledger")
        ]
        monkeypatch.setattr(den.client.deletions, "reconcile", reconcile)
        await maintenance.jobs.run_if_due(PRUNE_JOB)
        assert noted == []
        den.clock.pass_time(DAY_S)
        assert await den.app.admin.job_runs.prune() is not None  # as another process would
        success = await den.app.database.read(jobs.last_success, name=PRUNE_JOB)
        for _ in range(2):
            await maintenance.jobs.run_if_due(PRUNE_JOB)
        assert len(noted) == 1
        assert await den.app.database.read(jobs.last_success, name=PRUNE_JOB) == success


async def test_read_only_memory_is_no_reason_to_answer_twice(den: Den) -> None:
    async with den.awake(clients=2, memory_read_only=True):
        await den.talk(den.alice, "hello")
        await den.calm()
        assert len(den.answers()) == 1
