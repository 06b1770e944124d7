"""Several endpoints: no answer is lost while one of them dies."""

import asyncio

from tests.e2e.den import PATIENCE_S, Den
from tests.fakes.model_server import FakeModelServer, Writing, prompt_of


async def test_endpoints_die_under_load_and_every_question_is_answered(den: Den) -> None:
    async with FakeModelServer() as spare:
        spare.reply_with("the spare says hello")
        lists = {
            "model_endpoints": f"spare={spare.base_url}",
            "chat_model": "one, two@spare",
            "triage_model": "small, small@spare",
        }
        people = [den.guild.add_member(f"Person{number}") for number in range(6)]
        rooms = [den.guild.add_channel(f"room{number}") for number in range(3)]
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
            await den.model.stop()  # with three answers half written, and three questions waiting
            answers = await asyncio.gather(*map(den.answer_to, asked))
            assert [answer.content for answer in answers] == ["the spare says hello"] * 6
            await den.app.memory.recorder.settle()
            assert any("question 5" in prompt_of(request) for request in spare.chats[6:])
            registry, calls = den.app.runtime.metrics.registry, "kith_model_endpoint_calls_total"
            for endpoint, outcome in (("main", "ModelUnreachable"), ("spare", "done")):
                labels = {"endpoint": endpoint, "outcome": outcome}
                assert registry.get_sample_value(calls, labels)
