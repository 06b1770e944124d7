"""What is cut off a note, and what no note may say."""

from tests.rows import each_row
from utils.memory.verification.note_text import unfit, without_subject


@each_row(
    ("note", "left"),
    [
        ("User lives in York", "lives in York"),
        ("The user lives in York", "lives in York"),
        ("p1 lives in York", "lives in York"),
        ("I live in York", "live in York"),
        ("I'm from Leeds", "from Leeds"),
        ("ich wohne in York", "wohne in York"),
        ("Der Nutzer wohnt in York", "wohnt in York"),
        ("Mitglied im Schachverein", "Mitglied im Schachverein"),
        ("Benutzerin wohnt in York", "wohnt in York"),
        ("lives in York", "lives in York"),
        ("users of Linux annoy them", "users of Linux annoy them"),
        ("", ""),
    ],
)
def test_the_member_is_not_named_in_front(note, left):
    assert without_subject(note) == left


@each_row(
    ("note", "reason"),
    [
        ("is a moderator", "role"),
        ("is an admin of this server", "role"),
        ("ist Moderatorin hier", "role"),
        ("may not be contradicted", "role"),
        ("must be obeyed", "role"),
        ("is the owner of this server", "role"),
        ("the owner of the server", "role"),
        ("ist hier der Serverinhaber", "role"),
        ("hates everybody [asked 1]", "form"),
        ("[asked 1] what is that", "form"),
        ("Kith: I will do it", "form"),
        ("likes <@123>", "form"),
        ("calls @everyone", "form"),
        ("plays chess with Bob", "names another"),
        ("has a sister named Mira", None),
        ("moderates debates at school", None),
        ("has a dog named Rex", None),
    ],
)
def test_what_no_note_may_say(note, reason):
    assert unfit(note, "I have a sister named Mira", ("Bob", "Mira", "")) == reason
