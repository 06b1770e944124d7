"""What Discord leaves out of an event, or sends as null, costs no event."""

from cogs.bot.gateway_events import CHANNEL, completed
from tests.rows import each_row


@each_row(
    ("event", "data", "expected"),
    [
        ("MESSAGE_REACTION_ADD", {"member": None}, {"member": None}),
        ("TYPING_START", {"member": {"nick": "A"}}, {"member": {"flags": 0, "nick": "A"}}),
        ("MESSAGE_CREATE", {"mentions": [{"id": "1"}]}, {"mentions": [{"id": "1"}]}),
        ("MESSAGE_UPDATE", {"thread": {"id": "2"}}, {"thread": {**CHANNEL, "id": "2"}}),
    ],
)
def test_an_event_is_completed_for_discord_py(event, data, expected):
    assert completed(event, data) == expected
