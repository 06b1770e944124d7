"""Several models: no answer is lost while an endpoint dies, and moderators choose the first."""

import asyncio

from tests import attached_files as files
from tests.e2e.den import PATIENCE_S, Den
from tests.e2e.test_attachments_e2e import attach, seeing
from tests.e2e.test_commands_e2e import choices, use
from tests.fakes.discord import Channel
from tests.fakes.model_server import FakeModelServer, Writing, prompt_of


async def test_endpoints_die_under_load_and_every_question_is_answered(den: Den) -> None:
    async with FakeModelServer() as spare:
        spare.reply_with("the spare says hello")
        lists = {
            "model_endpoints": f"spare={spare.base_url}",
            "chat_model": "one, two@spare",
            "triage_model": "small, small@spare",
        }
        people = [den.guild.add_member(f"Person{number}") for number in range(4)]
        rooms = [den.guild.add_channel(f"room{number}") for number in range(2)]
        broken = [Writing() for _ in rooms]
        async with den.awake(**lists):
            den.model.script(*(writing(None) for writing in broken))
            asked = [
                await den.say(person, f"question {number}: I have {number} cats", channel)
                for number, (person, channel) in enumerate(zip(people, rooms * 2, strict=True))
            ]
            for writing in broken:
                await asyncio.wait_for(writing.begun.wait(), PATIENCE_S)
                writing.write("the first says hel")
            await den.model.stop()  # with two answers half written, and two questions waiting
            answers = await asyncio.gather(*map(den.answer_to, asked))
            assert [answer.content for answer in answers] == ["the spare says hello"] * 4
            await den.app.memory.recorder.settle()
            assert any("question 3" in prompt_of(request) for request in spare.chats[4:])
            registry, calls = den.app.runtime.metrics.registry, "kith_model_endpoint_calls_total"
            for endpoint, outcome in (("main", "ModelUnreachable"), ("spare", "done")):
                labels = {"endpoint": endpoint, "outcome": outcome}
                assert registry.get_sample_value(calls, labels)


async def test_notes_verdicts_and_pictures_come_from_the_next_models_too(den: Den) -> None:
    async with FakeModelServer() as spare:
        spare.extract_with(seeing)
        lists = {
            name: f"first, {name}@spare"
            for name in ("chat_model", "triage_model", "verify_model", "vision_model")
        }
        async with den.awake(model_endpoints=f"spare={spare.base_url}", **lists):
            await den.model.stop()
            await attach(den, "I have two cats.", ("shot.png", files.jpeg_with_place()))
            await den.app.memory.recorder.settle()
            assert {request["model"] for request in spare.chats} == {*lists}
            shown = await use(den, den.alice, "memory show")
            assert "has two cats" in shown.content, "the note was verified"
            used = (await use(den, den.moderator, "mod usage")).content
            for name in lists:
                assert f"- `{name}@spare`: calls: 1, " in used


async def test_moderators_choose_the_model_that_answers_first(den: Den) -> None:
    lounge = den.guild.add_text_channel("lounge")
    thread = lounge.add_thread("later", owner=den.alice)

    async def answering(channel: Channel | None = None) -> str:
        await den.talk(den.alice, "hello", channel)
        return str(den.prompts()[-1]["model"])

    async def model(command: str, **options: object) -> str:
        return (await use(den, den.moderator, f"model {command}", **options)).content

    listed = {
        "model_endpoints": f"far={den.model.base_url}",
        "chat_model": "one, two, three@far",
    }
    async with den.awake(**listed):
        offered = await choices(den, den.moderator, "model set", "model", "t")
        assert offered == ["two", "three@far"]
        assert "`two` answers first in this server now." in await model("set", model="two")
        assert await answering() == "two"
        done = await model("set", model="three@far", channel=lounge)
        assert f"`three@far` answers first in <#{lounge.id}> now." in done
        assert await answering(thread) == "three"
        assert (await model("show", channel=lounge)).splitlines() == [
            f"**`three@far`** answers first in <#{lounge.id}>.",
            "If it fails, the next model answers: `two`, `one`.",
            "Chosen by moderators:",
            "- for the whole server: `two`",
            f"- <#{lounge.id}>: `three@far`",
        ]
        unknown = await model("set", model="four")
        assert unknown == "My operator lists no model of that name; choose one, two, three@far."
        config = (await use(den, den.moderator, "config show")).content
        assert f"**two, <#{lounge.id}> three@far (`/model show`)**" in config
        assert await model("reset") == "This server uses my operator's order of models again."
        assert await model("reset") == "This server uses my operator's order of models again."
        assert await answering() == "one"
