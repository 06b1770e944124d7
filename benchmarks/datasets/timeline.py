"""The times that dialogues get where a data set gives none."""

from datetime import UTC, datetime, timedelta

TURN_S = 60
SESSION_GAP = timedelta(hours=2)
FIRST_DAY = datetime(2023, 1, 1, 12, tzinfo=UTC)
