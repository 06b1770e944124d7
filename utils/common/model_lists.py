"""Lists of language models and endpoints in settings, such as ``small, qwen3:8b@local``. Pure.

An entry is a model's name, and after ``@`` the name of an endpoint in MODEL_ENDPOINTS. Without it,
the model is asked at OPENAI_BASE_URL. Errors name the entry, but never a key.
"""

import re
from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from utils.models.llm import ModelEntry

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
_ENDPOINT_NAME = re.compile(r"[a-z][a-z0-9_-]{0,29}")


def parse_models(text: str, endpoints: Collection[str] = ()) -> tuple[ModelEntry, ...]:
    """Return the models of a list in their order. Raises ValueError for a wrong entry.

    Without ``endpoints``, ``@`` is part of a model's name, as it is before a version's number.
    """
    entries: list[ModelEntry] = []
    for part in _parts(text):
        if not part.isprintable():  # also of bytes that are no UTF-8
            raise ValueError("lists a name with characters that cannot be shown")
        name, _, endpoint = (word.strip() for word in part.rpartition("@"))
        entry = ModelEntry(part)
        is_named = bool(endpoints) and _ENDPOINT_NAME.fullmatch(endpoint)
        if name and endpoint in endpoints:
            entry = ModelEntry(name, endpoint)
        elif name and (is_named or "://" in endpoint):
            available = f"it has {', '.join(endpoints)}" if endpoints else "it is not set"
            raise ValueError(
                f'lists "{part}", but "{endpoint}" is no name in MODEL_ENDPOINTS ({available})'
            )
        if entry in entries:
            raise ValueError(f'lists "{part}" twice')
        entries.append(entry)
    if not entries:
        raise ValueError("lists no model")
    return tuple(entries)


def parse_endpoints(text: str) -> dict[str, str]:
    """Return addresses by name from ``groq=https://…, local=http://…``. Raises ValueError."""
    addresses: dict[str, str] = {}
    for part in _parts(text):
        name, _, address = (word.strip() for word in part.partition("="))
        if not _ENDPOINT_NAME.fullmatch(name) or not is_web_address(address):
            raise ValueError(
                f'has the entry "{part}", which is not a name in lower case, "=" and an address, '
                "such as local=http://127.0.0.1:11434/v1"
            )
        if name in addresses:
            raise ValueError(f'lists "{name}" twice')
        addresses[name] = address
    return addresses


def parse_endpoint_keys(text: str, endpoints: Collection[str]) -> dict[str, str]:
    """Return keys by endpoint from ``groq=gsk-…, other=sk-…``. Raises ValueError."""
    keys: dict[str, str] = {}
    for number, part in enumerate(_parts(text), start=1):
        name, _, key = (word.strip() for word in part.partition("="))
        if not (key and key.isascii() and key.isprintable()):
            raise ValueError(
                f"has an unusable entry {number}; write an endpoint's name, = and its key"
            )
        if name not in endpoints:
            raise ValueError(f"has an entry {number} whose name is not in MODEL_ENDPOINTS")
        keys[name] = key
    return keys


def parse_efforts(text: str) -> dict[str, str]:
    """Return efforts by model from ``low, gpt-5-mini=minimal``; "" stands for all other models.

    Raises ValueError.
    """
    efforts: dict[str, str] = {}
    for part in _parts(text):
        model, _, effort = (word.strip() for word in part.rpartition("="))
        if effort not in EFFORTS:
            raise ValueError(f'has the entry "{part}"; an effort is {", ".join(EFFORTS)}')
        if model in efforts:
            raise ValueError(f'lists "{part}" twice')
        efforts[model] = effort
    return efforts


def _parts(text: str) -> Iterator[str]:
    return filter(None, map(str.strip, text.split(",")))


def is_web_address(text: str) -> bool:
    """Whether a text is the address of a server on the web."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
