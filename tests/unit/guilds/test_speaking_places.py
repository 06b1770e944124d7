"""When Kith may speak first: silence, quiet hours, how often a day, and not always again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from tests.rows import each_row
from utils.guilds.speaking_places import LOOK_AGAIN_AFTER, is_quiet_hour, may_look, spoken_today
from utils.models.guild import SpeakingPlace

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 10, 11, tzinfo=UTC)  # noon in Berlin
PLACE = SpeakingPlace(1, 2, after_minutes=180, per_day=2)
SILENT = NOW - timedelta(hours=3)


@each_row(
    ("start", "end", "hours"),
    [(22, 8, {22, 23, *range(8)}), (1, 3, {1, 2}), (5, 5, set()), (0, 23, set(range(23)))],
)
def test_quiet_hours_are_in_the_servers_zone_and_may_contain_midnight(start, end, hours):
    place = replace(PLACE, quiet_from=start, quiet_until=end)
    midnight = datetime(2026, 3, 10, tzinfo=ZONE)
    times = (midnight + timedelta(hours=hour) for hour in range(24))
    assert {at.hour for at in times if is_quiet_hour(place, at.astimezone(UTC), ZONE)} == hours


def test_it_waits_for_silence_and_looks_once_after_each_conversation():
    assert may_look(PLACE, SILENT, NOW, ZONE)
    assert not may_look(PLACE, SILENT + timedelta(seconds=1), NOW, ZONE)
    assert not may_look(PLACE, SILENT, NOW.replace(hour=22), ZONE)
    looked = replace(PLACE, looked_at=NOW - timedelta(hours=1))
    assert not may_look(looked, SILENT, NOW, ZONE)
    assert may_look(replace(PLACE, looked_at=SILENT - timedelta(minutes=1)), SILENT, NOW, ZONE)
    assert may_look(looked, SILENT, NOW + LOOK_AGAIN_AFTER, ZONE)


def test_what_it_said_counts_until_midnight_in_the_servers_zone():
    spoken = replace(PLACE, spoken_at=datetime(2026, 3, 9, 23, 30, tzinfo=UTC), spoken_count=2)
    assert spoken_today(spoken, NOW, ZONE) == 2  # half past midnight in Berlin
    assert not may_look(spoken, SILENT, NOW, ZONE)
    earlier = replace(spoken, spoken_at=datetime(2026, 3, 9, 22, 30, tzinfo=UTC))
    assert spoken_today(earlier, NOW, ZONE) == 0
    assert may_look(earlier, SILENT, NOW, ZONE)
