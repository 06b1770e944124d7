"""Read character cards: JSON, or a PNG or ZIP (CHARX) with that JSON in it. Pure.

Formats: the Tavern cards V1 (fields at the top), V2 and V3 (fields in ``data``). Only how the
character sounds is taken. A card's instructions to a model (system prompt, post-history
instructions), its scenes and its lorebook are left out, and the picture is never decoded.
"""

import base64
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, is_zipfile

from utils.common.errors import BadInput
from utils.common.text import clean, clip, utf16_length
from utils.files.png_chunks import PNG, TEXT_CHUNKS, TextTooLong, chunks, text_of
from utils.models.guild import PERSONA_LIMIT

MAX_CARD_BYTES = 8_000_000
MAX_JSON_BYTES = 1_000_000  # of a card's text; lorebooks make it large
MAX_FIELD = 20_000  # characters of a field that are looked at
MAX_NESTED_MACROS = 9
VOICE = ("description", "personality", "mes_example")
LEFT_OUT = (
    "scenario",
    "first_mes",
    "system_prompt",
    "post_history_instructions",
    "alternate_greetings",
    "character_book",
)
NO_CARD = "I find no Tavern card (V1 to V3) in this file. I read JSON, PNG and CHARX."
TOO_LARGE = "This card is too large: at most 8 MB, with at most 1 MB of text."
NO_VOICE = "This card does not describe how the character sounds: it has no description."

# A RuntimeError means a password or deep JSON.
_DAMAGE = (BadZipFile, zlib.error, EOFError, LookupError, OSError, RuntimeError, ValueError)
_COMMENT = re.compile(r"\{\{//[^{}]*\}\}")
_MACRO = re.compile(r"\{\{[^{}]*\}\}")
_LINK_OR_MARK = re.compile(r"(?:https?|ftp)://\S+|^[ \t]*<START>[ \t]*$", re.I | re.MULTILINE)
_BLANK_LINES = re.compile(r"\n\s*\n+")


@dataclass(frozen=True, slots=True)
class CharacterCard:
    """A character's name, its voice as a mode's text, and what of the card is not in it.

    ``left_out`` has names of the card's fields; ``is_shortened``: the voice had more than
    ``PERSONA_LIMIT`` characters.
    """

    name: str
    voice: str
    left_out: tuple[str, ...]
    is_shortened: bool


def read_card(data: bytes) -> CharacterCard:
    """Return the character of a card's file. Raises BadInput for a file that is none."""
    if len(data) > MAX_CARD_BYTES:
        raise BadInput(TOO_LARGE)
    fields = _fields(data)
    name = clip((_words(fields, "name", "") or "the character").split("\n")[0], 80)
    nickname = clip(_words(fields, "nickname", name).split("\n")[0], 80) or name
    texts = [f"{name}:", *(_words(fields, field, nickname) for field in VOICE)]
    if not any(texts[1:3]):
        raise BadInput(NO_VOICE)
    voice = "\n".join(filter(None, texts))
    left_out = (  # a lorebook without an entry says nothing
        (field, value.get("entries") if isinstance(value, dict) else value)
        for field, value in ((field, fields.get(field)) for field in LEFT_OUT)
    )
    return CharacterCard(
        name,
        clip(voice, PERSONA_LIMIT, at_word=True),
        tuple(field for field, value in left_out if value),
        is_shortened=utf16_length(voice) > PERSONA_LIMIT,
    )


def _fields(data: bytes) -> Mapping[str, Any]:
    """Return the fields of a card's JSON, of whichever version."""
    try:
        if len(text := _json_of(data)) > MAX_JSON_BYTES:
            raise TextTooLong
        card = json.loads(text)
    except TextTooLong:
        raise BadInput(TOO_LARGE) from None
    except _DAMAGE:
        raise BadInput(NO_CARD) from None
    if isinstance(card, dict) and isinstance(card.get("data"), dict):
        card = card["data"]
    if (
        not isinstance(card, dict)
        or not any(isinstance(card.get(key), str) for key in VOICE)
        or isinstance(card.get("persona"), dict)  # Agnai's: its description is for who chooses one
    ):
        raise BadInput(NO_CARD)
    return card


def _json_of(data: bytes) -> bytes:
    """Return the JSON in a PNG or a ZIP, or any other file as it is.

    Raises TextTooLong for too much of it, and one of ``_DAMAGE`` if there is none.
    """
    if data.startswith(PNG):
        texts: dict[bytes, tuple[bytes, bytes]] = {}
        for kind, content, _ in chunks(data):
            if kind in TEXT_CHUNKS:
                texts.setdefault(content.partition(b"\0")[0].lower(), (kind, content))
        text = text_of(*(texts.get(b"ccv3") or texts[b"chara"]), MAX_JSON_BYTES * 4 // 3 + 4)
        return base64.b64decode(b"".join(text.split()), validate=True)
    if not is_zipfile(BytesIO(data)):
        return data
    with ZipFile(BytesIO(data)) as archive:  # RisuAI may put a JPEG before it
        if archive.getinfo("card.json").compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise BadZipFile  # unpacking the others cannot be limited
        return archive.open("card.json").read(MAX_JSON_BYTES + 1)  # its stated size may be false


def _words(fields: Mapping[str, Any], field: str, name: str) -> str:
    """Return a field's text, without macros, links and marks; "" if it has none."""
    text = value[:MAX_FIELD] if isinstance(value := fields.get(field), str) else ""
    text = _COMMENT.sub("", text)
    text = re.sub(r"\{\{char\}\}|<BOT>|<CHAR>", lambda _: name, text, flags=re.IGNORECASE)
    text = re.sub(r"\{\{user\}\}|<USER>", "the other person", text, flags=re.IGNORECASE)
    for _ in range(MAX_NESTED_MACROS):
        text = _MACRO.sub("", text)
    return _BLANK_LINES.sub("\n", clean(_LINK_OR_MARK.sub("", text))).strip()
