"""The watching page: alerts, cases and deeds by channel, and that it names no watched member."""

from sqlalchemy import insert, select

from cogs.dashboard.app import create_app
from tests.fakes.builders import CHANNEL, GUILD
from tests.fakes.dashboard import BEARER, open_house, visit
from utils.database.schema.memory_tables import alert as alert_table
from utils.database.sentiment import tension
from utils.models.alert import ActionKind
from utils.models.memory import Event, Role
from utils.models.sentiment import (
    AlertTrigger,
    Score,
    ScoredBatch,
    ScoredMessage,
    ThresholdCrossing,
)

QUARRELLER, MODERATOR = 880_088, 990_099
COLUMNS = [column for column in alert_table.c if column.name != "Id"]
DOUBLE = insert(alert_table).from_select(COLUMNS, select(*COLUMNS))


async def raise_alert(app):
    """Watch a channel and let one insult raise an alert; returns it."""
    now = app.clock.now()
    for channel_id in range(CHANNEL - 20, CHANNEL + 1):
        await app.sentiment.channels.add(GUILD, channel_id)
    message = Event(
        GUILD, CHANNEL, CHANNEL, 5_005, QUARRELLER, "Quarry", Role.MEMBER, "you fool", now
    )
    scored = (ScoredMessage(message, Score(-1, 0.9, 0.7, "an insult")),)
    crossing = ThresholdCrossing(AlertTrigger.TOXICITY, 0.9, 0.8, message.message_id)
    settings = await app.sentiment.channels.settings(GUILD)
    batch = ScoredBatch(GUILD, CHANNEL, now, scored, (crossing,), settings)
    await app.database.write(tension.save_scores, scored)
    return await app.sentiment.alerts.get(GUILD, (await app.sentiment.alerts.record(batch))[0])


async def test_alerts_cases_and_deeds_are_shown_and_no_watched_member(home):
    async with open_house(home.url, home.clock) as context:
        client = visit(create_app(context), **BEARER)
        assert "<svg" not in (page := (await client.get("/watching")).text) and "No channel" in page
        alert = await raise_alert(context.app)
        assert not await context.app.sentiment.alerts.newest(
            GUILD, alert.opened_at, place_ids={CHANNEL + 1}
        )
        shown = (await client.get(f"/watching?guild={GUILD}")).text
        for part in (
            '<th scope="row"><bdi>#general</bdi>',
            '<span class="tag warn">open</span>',
            "toxicity",
            'class="threshold"',
        ):
            assert part in shown and "Only the newest" not in shown
        await context.app.sentiment.alerts.decide(alert, ActionKind.OPEN_CASE, MODERATOR)
        shown = (await client.get(f"/watching?guild={GUILD}")).text
        assert shown.count('<span class="tag bad">case</span>') == 2  # it is a recent alert too
        assert f"member {MODERATOR}</bdi></strong> opened a case" in shown
        assert (
            f'<a href="/watching?guild={GUILD}"><span class="name">Open cases</span>'
            in (await client.get(f"/servers/{GUILD}")).text
        )
        assert [
            secret
            for secret in (str(QUARRELLER), "Quarry", "an insult", "you fool")
            if secret in shown
        ] == []
        for _ in range(6):
            await context.app.database.write(lambda connection: connection.execute(DOUBLE))
        assert "Only the newest 50 are" in (await client.get(f"/watching?guild={GUILD}")).text
