"""Links in answers: where they lead is seen, invites are removed, and nothing else is changed."""

from tests.rows import each_row
from utils.common.links import (
    INVITE_REMOVED,
    LINK_REMOVED,
    LinkMode,
    addresses_in,
    shown,
    without_invites,
)

INVITES = [
    "discord.gg/abc123",
    "https://discord.gg/abc123",
    "http://DISCORD.GG/abc123",
    "https://www.discord.gg/abc123",
    "discord.gg\\abc123",
    "https://discord\\.gg/abc123",
    "https:\\\\discord.gg\\abc123",
    "https://discord.gg//abc123",
    "https://discord.gg./abc123",
    "https://discord.gg:443/abc123",
    "https://discord.gg?code=abc123",
    "https://discord.gg#abc123",
    "https://x@discord.gg/abc123",
    "https://discord%2Egg/abc123",
    "https://%64iscord.gg/abc123",
    "https://ｄｉｓｃｏｒｄ．ｇｇ/abc123",
    "https://ⓓⓘⓢⓒⓞⓡⓓ.gg/abc123",
    "https://discord。gg/abc123",
    "https://dis\u200bcord.gg/abc123",
    "https://dis\u00adcord.gg/abc123",
    "discord.com/invite/abc123",
    "https://discord.com/invite/abc123",
    "https://discordapp.com/invite/abc123",
    "https://ptb.discord.com//invite/abc123",
    "https://discord.com/./invite/abc123",
    "https://discord.me/abc123",
    "https://dsc.gg/abc123",
]
MASKED = [
    "[the rules](https://evil.example/a)",
    "[the rules](<https://evil.example/a>)",
    "[the rules]( https://evil.example/a )",
    "[the rules](\n\nhttps://evil.example/a)",
    f"[the rules]({' ' * 500}https://evil.example/a)",
    '[the rules](https://evil.example/a "a title")',
    "[https://discord.com/safe](https://evil.example/a)",
    "[[nested] rules](https://evil.example/a)",
    "[a \\] bracket](https://evil.example/a)",
    "[the rules](https://evil.example/a_(b))",
    "[the rules](HTTPS://evil.example/a)",
    "[the rules](\\h\\t\\tps://evil.example/a)",
    "**[the rules](https://evil.example/a)**",
    "![the rules](https://evil.example/a)",
]
HARMLESS = [
    "I have seen discord.gg in a story, and discord.com/channels/1/2 too.",
    "See https://example.org/a?b=c and <https://example.org>.",
    "An invitation to discord: come at 8.",
    "Look at notdiscord.gg/x, please: mydiscord.gg/abc.",
    "a[i](x) stays, [brackets] (and these) too.",
    "100% of it / half",
]


PREVIEWED = "https://example.org/a?b=c", "<https://example.org/a?b=c>"


@each_row(
    ("text", "shown_as"),
    [
        ("HTTPS://a.example/?q=b.", "<HTTPS://a.example/?q=b>."),
        ("![a cat](https://a.example/c)", "a cat (<https://a.example/c>)"),
        ("Hi![cat](https://a.example/c)", "Hi!cat (<https://a.example/c>)"),
        (
            "||https://a.example/b|| and (https://a.example)",
            "||<https://a.example/b>|| and (<https://a.example>)",
        ),
        ("<https://a.example> https://b.example", "<https://a.example> <https://b.example>"),
        ("run `curl https://a.example`!", "run `curl https://a.example`!"),
        ("```sh\ncurl https://a.example\n```", "```sh\ncurl https://a.example\n```"),
        ("```\ncurl https://a.example", "```\ncurl <https://a.example>"),
        ("`a\nb` https://a.example `c`", "`a\nb` <https://a.example> `c`"),
        ("`a``b` https://a.example `c`", "`a``b` <https://a.example> `c`"),
        ("\\`https://a.example \\`", "\\`<https://a.example> \\`"),
        ("`a\\` https://a.example `b`", "`a\\` <https://a.example> `b`"),
        ("`https://a.example/``", "`<https://a.example/``>"),
        ("```` `https://a.example` ````", "```` `<https://a.example`> ````"),
        (f"https://a.example/{'x' * 2000}", LINK_REMOVED),
    ],
)
def test_discord_fetches_no_link_of_an_answer_for_a_preview(text: str, shown_as: str) -> None:
    assert shown(text, LinkMode.PLAIN) == shown_as
    assert shown(shown_as, LinkMode.PLAIN) == shown_as
    assert shown(text, LinkMode.ANY) == text


@each_row("invite", INVITES)
def test_an_invite_is_removed_in_every_spelling(invite: str) -> None:
    text = shown(f"Join us: {invite} now", LinkMode.PLAIN)
    assert text == f"Join us: {INVITE_REMOVED} now"
    masked = shown(f"[our rules]({invite})", LinkMode.PLAIN)
    assert "abc123" not in masked
    assert "((" not in masked
    assert "abc123" in shown(f"Join us: {invite} now", LinkMode.ANY)


@each_row("link", MASKED)
def test_a_masked_link_shows_where_it_leads(link: str) -> None:
    text = shown(f"Read {link} first", LinkMode.PLAIN)
    assert "](" not in text
    assert "evil.example/a" in text
    assert "evil.example" not in shown(f"Read {link} first", LinkMode.NONE).replace("\\", "")


@each_row("text", HARMLESS)
def test_what_is_no_invite_and_not_masked_stays_as_it_is(text: str) -> None:
    assert shown(text, LinkMode.PLAIN) == text.replace(*PREVIEWED)
    assert without_invites(text) == text


@each_row(
    ("text", "addresses"),
    [
        ("what is https://a.example/b?c=d#e?", ["https://a.example/b?c=d#e"]),
        ("(see HTTP://a.example/x_(y)), please", ["HTTP://a.example/x_(y)"]),
        ("[label](https://a.example/b) and <https://b.example/>.", None),
        ("||https://a.example/b|| https://b.example/ https://a.example/b", None),
        ("**https://a.example/b** „https://b.example/“", None),
        ("ftp://a.example file:///x javascript:x www.a.example xhttp://a.example https://", []),
    ],
)
def test_addresses_are_found_without_the_punctuation_around_them(text, addresses):
    if addresses is None:
        addresses = ["https://a.example/b", "https://b.example/"]
    assert addresses_in(text) == addresses
