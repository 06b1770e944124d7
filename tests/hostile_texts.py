"""Texts of the greatest length that Discord allows, made to cost as much as possible."""

LENGTH = 4000

_PARTS = {
    "blank lines": "\n",
    "blanks": " ",
    "blanks and lines": " \n",
    "exclamation marks": "!",
    "nested quotes": "> ",
    "one letter": "a",
    "capitals": "A",
    "digits": "1",
    "digits and blanks": "1 ",
    "digits and hyphens": "1-",
    "dotted letters": "a.",
    "at signs": "a@",
    "underscores": "_",
    "hyphens": "a-",
    "backticks": "`",
    "brackets": "(",
    "braces": "{",
    "less-than signs": "<",
    "links without an end": "](",
    "links with blanks": "]( ",
    "open links": "[a",
    "invites without an end": "discord.com/",
    "escaped addresses": "%2e\\",
    "speakers": "a - ",
    "long addresses": "https://example.org/a?b=c&",
    "schemes": "://",
    "combining marks": "e\u0301\u0302",
    "right to left": "\u202e\u05d0",
    "zero width": "a\u200b",
    "ideographs": "\u4f60",
    "katakana": "\u30ab",
    "emoji": "\U0001f600",
    "dotted capital I": "\u0130",
    "mentions": "<@1>",
    "statements": "i am ",
    "German statements": "ich bin ",
    "negations": "not ",
    "conjunctions": "and ",
    "ands of the speaker": "and i ",
    "names": "Aa ",
    "initials": "A. ",
    "dates": "in 3 days ",
    "weekdays": "monday ",
    "prompt markers": "system: ",
    "headings": "# \n",
    "JSON names": '"name": ',
    "keys": "sk-",
    "code fences": "```\n",
    "commas": ", ",
    "wishes": "remember that ",
}


def _filled(part: str) -> str:
    return (part * (LENGTH // len(part) + 1))[:LENGTH]


ENDLESS = {name: _filled(part) for name, part in _PARTS.items()}
# The end differs, so a pattern that almost matched tries every other way.
WITH_END = {name: f"{text[:-2]}\nx" for name, text in ENDLESS.items()}
