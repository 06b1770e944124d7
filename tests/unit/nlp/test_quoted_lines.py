"""Quoted and pasted lines are known by their form."""

from tests.rows import each_row
from utils.memory.extraction.own_statements import own_statements
from utils.memory.verification.sentences import own_words
from utils.nlp.quoted_lines import quoted_lines

CAT = "I have two cats"


@each_row(
    "pasted",
    [
        f"Bob — Today at 10:15\n{CAT}",
        f"Bob — Heute um 10:15 Uhr\n{CAT}",
        f"Bob the Great — 10:15\n{CAT}",
        f"Bob — Yesterday at 9:01 PM\n{CAT}",
        f"Bob — 12/25/2026 8:00 AM\n{CAT}",
        f"Bob — 25.12.2026, 08:00\n{CAT}",
        f"Bob\n — Hier à 10:15\n{CAT}",
        f"Bob\n — \nToday at 10:15 AM\n{CAT}",
        f"Bob — Today at 10:15\nhello\n\n{CAT}\nSam — Today at 10:16\n{CAT}",
        f">>> he said\n{CAT}",
        f"  >>> he said\n\n{CAT}",
        f"> {CAT}",
        f"[10:15]Bob: {CAT}",
        f"[10:15 PM] Bob the Great: {CAT}",
        f"[12.11.26, 10:15:03] Bob: {CAT}",
        f"12/11/2026, 10:15 pm - Bob: {CAT}",
        f"10:15 <Bob> {CAT}",
        f"Bob, [12.11.2026 10:15]\n{CAT}",
        # As other programs write or copy them; of DiscordChatExporter its plain text.
        f"[12-Nov-26 10:15 PM] bob\n{CAT}",
        f"[12/11/2026 10:15] Bob the Great#0123\n{CAT}",
        f"Bob, [Nov 12, 2026 at 10:15:03 AM]:\n{CAT}",  # Telegram for macOS
        f"12.11.2026 klo 10.15 - Bob: {CAT}",  # WhatsApp
        f"12/11/26, 10:15 p. m. - Bob: {CAT}",
        f"2026. 11. 12. 10:15, Bob : {CAT}",  # KakaoTalk
        f"[Bob] [오후 10:15] {CAT}",
        f"10:15:03\t From  Bob : {CAT}",  # Zoom
        f"(10:15:03 AM) bob: {CAT}",  # Pidgin
        f"(11/12/2026 10:15:03 AM) bob@x.example: {CAT}",
        f'<10:15:03> "Bob": {CAT}',  # TeamSpeak
        f"2026-11-12 10:15:03\tbob\t{CAT}",  # IRC
        f"10:15:03   @bob | {CAT}",
        f"10:15:03 bob> {CAT}",
        f"Nov 12 10:15:03 <bob>\t{CAT}",
        f"2026-11-12T10:15:03+0100 <bob> {CAT}",
        f"[Thursday, 12 November 2026] [10:15:03 CET] <~bob> {CAT}",
        f"From: Bob <bob@x.example>\nSent: 12 November 2026 10:15\nSubject: cats\n\n{CAT}",  # mails
        f"On 2026-11-12 at 10:15, Bob <bob@x.example> wrote:\n\n{CAT}",
        f"00:00:01,000 --> 00:00:03,000\n{CAT}",  # subtitles
    ],
)
def test_what_discord_copies_or_quotes_is_not_the_authors(pasted: str) -> None:
    text = f"look at that\n{pasted}"
    assert "cats" not in own_words(text)
    assert list(own_statements(text)) == []
    lines = text.split("\n")
    assert quoted_lines(lines) == set(range(1, len(lines)))


@each_row(
    "own",
    [
        "We meet at 10:15\nI have two cats",
        "I have two cats — since 10:15",
        "- I have two cats\n- 10:15",
        "cats > dogs\nI have two cats",
        "I have two cats - at home\nbye",
        "10:15 I have two cats",
        "10:15 Home: feed Rex\nI have two cats",
        "3:15 PB: 5k run\n14:00 – vet\nmy two cats are fine",
        "10:15 <@123> feeds my two cats",
        "Home, [ask] 10:15\nI have two cats",
        "I have two cats, [sic] since 2026",
        "[12:34] the part that I love\nI have two cats",
        "[Mon 10:15] Gym\n[tomorrow at 10:15] dentist\nI have two cats",
        "[12.11.2026 10:15] Zahnarzt\n[2026-11-12 10:15] gym\nI have two cats",
        "[2026-11-12 10:15:03] Server started\nI have two cats",
        "Gym  7:15 AM\n  8:00 AM\nI have two cats",
        "08:00 --> 09:30 gym\n10.000 --> 12.500 followers\nI have two cats",
        "1:45:03 PB > 1:50:00, I have two cats",
        "(1:45:03) half: x\n(12.11.2026 10:15) home: x\n00:25:03 Berlin | 5k\nI have two cats",
        "00:25:03 - 5k: I was sick\nI have two cats",
        "[1.25] coffee: I have two cats\n3.50 <gasp> for tea",
        "[12:34] the part <sigh> where I have two cats",
        "10:15 <ada@x.example> I have two cats\n6:30 pm<sigh> too late",
        "the plan — with <@123>\n10:15 gym\nI have two cats",
        "12/11/2026 at 10:15, Home: I have two cats\n2026. 11. 12. 10:15, tea: ok",
        "10:15\tHome\tI have two cats",
        "[x] [10:15] call mum\n[Home] [10:15] I have two cats",
        "since 2026 <sigh> I have two cats",
        "write to Ada <ada@x.example>:\nI have two cats",
        "Mail: Ada <ada@x.example>\nPhone: 0123\nI have two cats",
        "BEGIN:VCARD\nFN:Ada\nEND:VCARD\nI have two cats",
    ],
)
def test_what_only_looks_a_little_like_it_is_the_authors(own: str) -> None:
    assert quoted_lines(own.split("\n")) == set()
    assert "cats" in own_words(own)


@each_row("announced", ["Sam wrote this yesterday:", "my essay begins like this:"])
def test_without_a_model_announced_lines_are_nobodys_statement(announced: str) -> None:
    assert list(own_statements(f"{announced}\n{CAT}")) == []
    assert list(own_statements(f"{announced}\nhello\n\n{CAT}")) == [CAT]
