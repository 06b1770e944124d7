"""`bot.py policy …` and a server's write policies: shown, compared, applied, taken back, tried."""

import json

import pytest

from cogs.cli.parser import command_line
from cogs.cli.policy import do_policy
from tests.fakes.builders import ADA, GUILD, audience, make_answer, make_candidate, make_event
from tests.integration.memory.recall.test_reader import learn
from utils.build import build
from utils.common.config import load_settings
from utils.common.errors import BadInput
from utils.memory.evaluation.exchanges import recorded
from utils.models.memory import Consent, Kind


@pytest.fixture
async def app(database_url, clock, until_end):
    made = until_end(build(load_settings(env_file=None, database_url=database_url), clock))
    await made.database.open()
    return made


async def policy(app, *words):
    """Return what the command prints."""
    options = command_line().parse_args(["policy", *map(str, words)])
    return "\n".join(await do_policy(app, options))


def file_of(tmp_path, **fields):
    file = tmp_path / "chosen.json"
    file.write_text(json.dumps(fields))
    return file


async def test_a_policy_is_compared_applied_shown_and_taken_back(app, tmp_path):
    chosen = file_of(tmp_path, block_tokens=650, asking={"text": 0.9})
    assert await policy(app, "diff", chosen) == (
        "  asking.text   1    ->  0.9\n  block_tokens  400  ->  650"
    )
    said = await policy(app, "apply", chosen, "--reason", "more room", "--rolls-back")
    assert "Version 1 is active." in said and "useful range" in said
    shown = await policy(app, "show")
    assert "Version 1 is active since 2026-03-11 12:00 (command line: more room)." in shown
    assert "rolled back automatically" in shown
    assert json.loads(await policy(app, "show", "--json"))["block_tokens"] == 650
    assert await policy(app, "diff", 1, 0) == (
        "  asking.text   1    ->  0.9\n  block_tokens  400  ->  650"
    )
    assert "Version 2 is active." in await policy(app, "rollback")
    assert (await app.policies.versions.active()).policy.block_tokens == 400
    with pytest.raises(BadInput, match="nothing to roll back"):
        await policy(app, "rollback")


@pytest.mark.parametrize("words", [("apply", 9), ("diff", "no/such/file"), ("shadow", 0)])
async def test_what_cannot_be_is_refused_in_a_sentence(app, words):
    with pytest.raises(BadInput):
        await policy(app, *words)


# --- what is recorded ---------------------------------------------------------------------------


async def talked(app, text, answer, **who):
    """Ada asks, an hour after whatever was before, and is answered."""
    app.clock.advance(hours=1)
    asked = make_event(text, created_at=app.clock.now(), **who)
    said = make_answer(asked, answer, created_at=app.clock.now())
    for event in (asked, said):
        await app.memory.recorder.record(event, audience())


@pytest.mark.parametrize("consent", [Consent.TEMPORARY, Consent.OFF])
async def test_only_what_members_under_lasting_consent_said_is_replayed(app, consent):
    await app.memory.editor.set_consent(ADA, Consent.LASTING)
    await learn(app.database, make_candidate("loves green jasmine tea", kind=Kind.PREFERENCE))
    await talked(app, "what should I drink?", "Your green jasmine tea, of course.")
    assert await app.database.read(recorded, app.clock.now())
    await app.memory.editor.set_consent(ADA, consent)
    assert not await app.database.read(recorded, app.clock.now())


# --- a server's write policy --------------------------------------------------------------------


async def test_a_servers_policies_are_listed_previewed_and_restored(app):
    guilds = app.guilds.settings
    await guilds.set_policy(GUILD, {"active_from": 0.97}, actor_id=7, reason="careful")
    await guilds.set_policy(GUILD, {"active_from": 0.85}, actor_id=8, reason="less so")
    found = await guilds.policy_versions(GUILD)
    assert [(one.version, one.actor_id, one.reason) for one in found] == [
        (2, 8, "less so"),
        (1, 7, "careful"),
    ]
    await app.memory.editor.set_consent(ADA, Consent.LASTING)
    for text in ("loves green jasmine tea", "plays chess on Fridays"):
        await learn(app.database, make_candidate(text, kind=Kind.PREFERENCE))
    (effect,) = await guilds.preview_policy(GUILD, {"active_from": 0.97})
    assert (effect.kind, effect.before, effect.after, effect.count) == (
        *("preference", "active", "proposed"),
        2,
    )
    assert await guilds.preview_policy(GUILD, {"active_from": 0.8}) == []
    with pytest.raises(BadInput):
        await guilds.preview_policy(GUILD, {"active_from": 7})
    assert len(await guilds.policy_versions(GUILD)) == 2  # a look changes nothing
    change = await guilds.restore_policy(GUILD, 1, 7, "back")
    assert (change.version, change.after.active_from) == (3, 0.97)
    assert (await guilds.policy(GUILD)).active_from == 0.97
    with pytest.raises(BadInput, match="no version 9"):
        await guilds.restore_policy(GUILD, 9, 7, "")
