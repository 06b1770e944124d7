"""Reads the JSON that language models write, which is often only nearly JSON.

Pure functions. What recurses does so over the schema, or to a bounded depth over what the model
wrote, so that deep nesting costs a ValueError and never the stack.
"""

import json
import math
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any

from utils.model.llm import as_json

MAX_CHARS = 60_000
MAX_DEPTH = 64
MAX_STARTS = 16

_TOKEN = re.compile(
    r"""\s*+(?:(?P<mark>[{}\[\],:])
        |(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+')
        |(?P<word>[^\s{}\[\],:"']++))""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?(?:\d{1,300}(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\n": ""}
_WORDS = {
    **dict.fromkeys(("true", "True"), True),
    **dict.fromkeys(("false", "False"), False),
    **dict.fromkeys(("null", "None", "undefined", "NaN", "nan", "Infinity", "-Infinity"), None),
}

_OPENING = re.compile(
    r"\A\s*(?:(?:```\w*|<(?:tool_call|function_call)>|<\|python_tag\|>|\[TOOL_CALLS\])\s*)*"
)
_CLOSING = re.compile(r"\A\s*(?:(?:```(?!\w)|</(?:tool_call|function_call)>)\s*)*")
_UNREADABLE = "?"


def parse_arguments(text: str, schema: dict[str, Any], *, whole: bool = False) -> dict[str, Any]:
    """Read a tool call's arguments out of ``text`` and give them the shape of ``schema``.

    Accepts a code fence, words around the JSON, trailing commas, Python's quotes and constants,
    NaN (as null), JSON inside a JSON string, one object where a list belongs, and text that was
    cut off: what is complete stays, the last incomplete item goes. Objects, lists, required
    top-level keys and nullable keys are then as the schema says; values are not checked.
    ``whole`` refuses what was cut off.

    Raises ValueError, with a short reason that quotes nothing, when nothing usable is found.
    """
    reason = "there is no JSON in it"
    for value, inside in _values(text[:MAX_CHARS], whole=whole):
        if inside and not (isinstance(value, dict) and value.keys() & schema.get("properties", {})):
            continue
        try:
            arguments = _fit(value, schema)
            missing = [key for key in schema.get("required", ()) if key not in arguments]
        except ValueError as error:
            reason = str(error)
            continue
        if not missing:
            return dict(arguments)
        reason = f"it lacks {', '.join(missing)}"
    raise ValueError(reason)


def parse_call(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Read the arguments of a tool that acts on what they say, as :func:`parse_arguments` does.

    Nothing written means no arguments; what was cut off is refused, since the missing half may
    change what was meant. Raises ValueError, with a short reason that quotes nothing.
    """
    bare = text.strip()
    if bare not in ("", "null") and re.fullmatch(r"\{\s*\}", bare) is None:
        return dict(_sound(parse_arguments(text, schema, whole=True), MAX_DEPTH))
    properties = schema.get("properties", {})
    arguments = {key: None for key, inner in properties.items() if _branch(inner, "null")}
    if missing := [key for key in schema.get("required", ()) if key not in arguments]:
        raise ValueError(f"it lacks {', '.join(missing)}")
    return dict(arguments)


def written_calls(text: str, names: Collection[str]) -> list[tuple[str, str]]:
    """Return the tool calls that a model wrote as its words: names, and arguments as text.

    Only when there is nothing else in the text, fences and tags aside, and every call is of one
    of ``names``; else none. A call that was cut off has arguments that cannot be read.
    """
    calls: list[tuple[str, str]] = []
    try:
        while text:
            text = _OPENING.sub("", text, count=1)
            if text[:1] not in ("{", "[") or len(text) > MAX_CHARS:
                return []
            value, end, cut = _read(text, 0)
            items = value if isinstance(value, list) else [value]
            calls += [_written_call(item, names, cut) for item in items]
            text = _CLOSING.sub("", text[end:], count=1)
    except ValueError:
        return []
    return calls


def may_be_calls(text: str) -> bool:
    """Whether a text, of which more may come, begins as one that :func:`written_calls` reads."""
    return _OPENING.sub("", text, count=1)[:1] in ("", "{", "[", "<")


def without_lone_surrogates(text: str) -> str:
    """Replace half characters, which no database, log or socket can encode."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _written_call(item: Any, names: Collection[str], cut: bool) -> tuple[str, str]:
    if isinstance(item, dict) and isinstance(item.get("function"), dict):
        item = item["function"]
    if isinstance(item, dict) and isinstance(name := item.get("name"), str) and name in names:
        for key in ("arguments", "parameters"):
            if cut or key in item:
                return name, _UNREADABLE if cut else as_json(item[key])
    raise ValueError("it is no call")


def _sound(value: Any, depth: int) -> Any:
    """Return ``value`` without half characters; ValueError when it is nested deeper than that."""
    if isinstance(value, str):
        return without_lone_surrogates(value)
    if isinstance(value, dict | list) and depth <= 0:
        raise ValueError("it is nested too deeply")
    if isinstance(value, dict):
        return {without_lone_surrogates(key): _sound(value[key], depth - 1) for key in value}
    return [_sound(item, depth - 1) for item in value] if isinstance(value, list) else value


def _values(text: str, *, whole: bool = False) -> Iterator[tuple[object, bool]]:
    """Yield each JSON value that begins in ``text``, outermost first, left to right.

    The flag tells that a bracket before it could not be read: the value may be a part of
    something broken, so that an empty list there does not mean that nothing was meant.
    """
    if text.lstrip().startswith('"'):
        with suppress(ValueError):  # it may be a quoted word in front of the JSON
            yield _strict(text, text.index('"'))[0], False
    position, inside = 0, False
    for _ in range(MAX_STARTS):
        start = min((at for at in (text.find(c, position) for c in "{[") if at >= 0), default=-1)
        if start < 0:
            return
        try:
            value, position, cut = _read(text, start)
        except ValueError:
            position, inside = start + 1, True
            continue
        if cut and whole:
            raise ValueError("it is cut off")
        yield value, inside


def _read(text: str, start: int) -> tuple[object, int, bool]:
    """Return the value that begins at ``start``, where it ends, and whether it was cut off."""
    try:
        return *_strict(text, start), False
    except ValueError:
        reader = _Lenient(text, start)
        return *reader.read(), reader.cut


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None, parse_float=_finite)


def _strict(text: str, start: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


class _Lenient:
    """Builds one value from nearly-JSON, with a stack of its own."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._position = start
        self._open: list[dict[str, object] | list[object]] = []
        self._keys: list[str | None] = []
        self.cut = False

    def read(self) -> tuple[object, int]:
        """Return the value and where it ends; a value cut off keeps what is complete."""
        root: object = None
        while token := self._next():
            kind, written = token
            if written in ("{", "[") and kind == "mark":
                self._push({} if written == "{" else [])
                root = self._open[0]
            elif kind == "mark":
                if not self._punctuate(written):
                    return root, self._position
            elif isinstance(self._open[-1], dict) and self._keys[-1] is None:
                if not self._read_key(kind, written):
                    break
            elif kind == "word" and self._position == len(self._text):
                break  # a word at the very end may be the first half of one
            else:
                self._put(_scalar(kind, written))
        self.cut = True
        self._drop_incomplete()
        return root, len(self._text)

    def _next(self) -> tuple[str, str] | None:
        """Return the next token, or None at the end of the text or in an unclosed string."""
        match = _TOKEN.match(self._text, self._position)
        if match is None:
            return None
        self._position = match.end()
        kind = str(match.lastgroup)
        return kind, match[kind]

    def _push(self, container: dict[str, object] | list[object]) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise ValueError("it is nested too deeply")
        if self._open:
            self._put(container)
        self._open.append(container)
        self._keys.append(None)

    def _put(self, value: object) -> None:
        container, key = self._open[-1], self._keys[-1]
        if isinstance(container, list):
            container.append(value)
        elif key is None:
            raise ValueError("a key is missing")
        else:
            container[key] = value
            self._keys[-1] = None

    def _punctuate(self, mark: str) -> bool:
        """Take a comma or a closing bracket; False when the outermost value is closed."""
        if self._keys[-1] is not None or mark == ":":
            raise ValueError("a value is missing")
        if mark == ",":
            return True
        if (mark == "}") is not isinstance(self._open[-1], dict):
            raise ValueError("its brackets do not match")
        self._open.pop()
        self._keys.pop()
        return bool(self._open)

    def _read_key(self, kind: str, written: str) -> bool:
        """Take a key and its colon; False when the text ends between them."""
        colon = self._next()
        if colon is None:
            return False
        if colon != ("mark", ":"):
            raise ValueError("a colon is missing")
        self._keys[-1] = written if kind == "word" else _unquoted(written)
        return True

    def _drop_incomplete(self) -> None:
        """Drop the open item of the outermost open list, or that list if nothing is left."""
        for depth, container in enumerate(self._open):
            if not isinstance(container, list):
                continue
            if depth + 1 < len(self._open):
                container.pop()
            if not container:
                if depth == 0:
                    raise ValueError("it is cut off before one item is complete")
                parent = self._open[depth - 1]
                if isinstance(parent, dict):
                    del parent[next(key for key in parent if parent[key] is container)]
            return


def _scalar(kind: str, written: str) -> object:
    if kind == "string":
        return _unquoted(written)
    if written in _WORDS:
        return _WORDS[written]
    if _NUMBER.fullmatch(written) is None:
        raise ValueError("it is not JSON")
    return _finite(written) if set(written) & set(".eE") else int(written)


def _unquoted(written: str) -> str:
    def character(match: re.Match[str]) -> str:
        escape = match[1]
        if len(escape) > 1:
            code = int(escape[1:], 16)
            return chr(code) if code <= 0x10FFFF else "\ufffd"
        return _ESCAPES.get(escape, escape)

    return _ESCAPE.sub(character, written[1:-1])


def _branch(schema: Any, kind: str) -> dict[str, Any] | None:
    """Return the part of ``schema`` that allows values of type ``kind``, or None."""
    if not isinstance(schema, dict):
        return None
    kinds = schema.get("type")
    if kind == kinds or (isinstance(kinds, list) and kind in kinds):
        return schema
    options = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return next((found for option in options if (found := _branch(option, kind))), None)


def _fit(value: object, schema: Any) -> Any:
    """Give ``value`` the shape of ``schema``; raises ValueError when that cannot be done."""
    listed, keyed = _branch(schema, "array"), _branch(schema, "object")
    if isinstance(value, str):
        value = without_lone_surrogates(value)
        if (listed or keyed) and _branch(schema, "string") is None:
            value = _decoded(value)
    if value is None and _branch(schema, "null"):
        return None
    if listed and not (keyed and isinstance(value, dict)):
        return _fit_list(value, listed.get("items"))
    if keyed:
        return _fit_object(value, keyed)
    return value


def _decoded(value: object) -> object:
    """Unpack JSON that was written into a JSON string, up to twice."""
    for _ in range(2):
        if isinstance(value, str):
            value = next(_values(value), (value, False))[0]
    return value


def _fit_list(value: object, item_schema: Any) -> list[Any]:
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    fitted = []
    for item in items:
        try:
            fitted.append(_fit(item, item_schema))
        except ValueError:
            continue
    if items and not fitted:
        raise ValueError("no item of a list has the right form")
    return fitted


def _fit_object(value: object, schema: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = schema.get("properties", {})
    value = _enveloped(value, properties)
    if not isinstance(value, dict):
        raise ValueError("it is not an object")
    if properties and not value.keys() & properties.keys():
        raise ValueError(f"it has none of {', '.join(properties)}")
    closed = schema.get("additionalProperties") is False
    fitted = {} if closed else {key: value[key] for key in value if key not in properties}
    for key, inner in properties.items():
        if key in value:
            fitted[key] = _fit(value[key], inner)
        elif _branch(inner, "null"):
            fitted[key] = None
    return fitted


def _enveloped(value: object, properties: dict[str, Any]) -> object:
    """Put a bare list, or a bare item of it, under the object's only list property."""
    if isinstance(value, list) and value:
        parts = [
            item for item in value if isinstance(item, dict) and item.keys() & properties.keys()
        ]
        if len(parts) == len(value):
            return _merged(parts)
    lists = {key: found for key, inner in properties.items() if (found := _branch(inner, "array"))}
    if len(lists) != 1:
        return value
    (key, listed), *_ = lists.items()
    if isinstance(value, dict):
        item = _branch(listed.get("items"), "object") or {}
        known = value.keys() & properties.keys()
        return value if known or not value.keys() & item.get("properties", {}) else {key: value}
    return {key: value} if isinstance(value, list) else value


def _merged(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Put several answers to one question together: lists are joined, the last word counts."""
    whole: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            if isinstance(value, list) and isinstance(whole.get(key), list):
                whole[key] = whole[key] + value
            elif value is not None or key not in whole:
                whole[key] = value
    return whole
