"""What the model is shown of an episode: instructions that never change, then its data."""

from tests.fakes.builders import CHANNEL, GUILD, at, make_event
from tests.rows import each_row
from utils.memory.episodes.summarizer import CLOSE, SummaryJob, build_messages, parse
from utils.models.episode import Episode, SummaryPart


def job(part, *texts, **when):
    turns = tuple(
        make_event(text, id=number, message_id=number, created_at=at(**when))
        for number, text in enumerate(texts, 1)
    )
    episode = Episode(1, GUILD, CHANNEL, CHANNEL, at(**when), 1, 2, 0, None)
    return SummaryJob(episode, part, turns, (), "Europe/Berlin")


@each_row("part", SummaryPart)
def test_the_instructions_are_the_same_at_any_time_and_the_data_begins_with_it(part):
    instructions, data = build_messages(job(part, "hello", "what a day"))
    later_instructions, later_data = build_messages(job(part, "bye", days=3, hours=5))
    assert instructions.text == later_instructions.text
    assert "{{" not in instructions.text
    assert data.text.splitlines()[0] == "NOW Wednesday, 2026-03-11 13:00 (Europe/Berlin)"
    assert later_data.text.splitlines()[0] == "NOW Saturday, 2026-03-14 18:00 (Europe/Berlin)"


def test_a_memory_of_an_episode_names_no_ids_that_its_prompt_does_not_have():
    schema = CLOSE.parameters["properties"]["memories"]["items"]
    assert {"message", "confirms", "replaces"}.isdisjoint(schema["properties"])
    assert schema["required"] == list(schema["properties"])


def test_a_chapter_whose_summary_may_not_be_kept_keeps_its_notes_and_loops():
    said = job(SummaryPart.FINAL, "I have a dog named Rex", "I fly to Rome on Friday")
    note = {"person": "[P1]", "note": "has a dog named Rex", "quote": "I have a dog named Rex"}
    loop = {
        "person": "p1 = Ada",
        "kind": "QUESTION",
        "text": "which dog?",
        "quote": "dog named Rex",
    }
    written = {"summary": "Zebras graze quietly.", "topic": "zebras", "memories": [note]}
    result = parse(written | {"loops": [loop] * 6}, said, frozenset())
    assert (result.text, result.structure) == ("", "")
    assert [candidate.text for candidate in result.candidates] == ["has a dog named Rex"]
    assert [one.text for one in result.loops] == ["which dog?"]
