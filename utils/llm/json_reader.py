"""Read one JSON value at a position of a text, even if it is slightly broken or cut off.

Pure functions. Nesting is bounded by ``MAX_DEPTH``, so it costs a ValueError and never the stack.
"""

import json
import math
import re
from dataclasses import dataclass, field

MAX_DEPTH = 64

_TOKEN = re.compile(
    # A quotation mark before a word or a stop ends no text: "he is "Rex" now", 'I'm Ada'. One
    # before a key does: {a: "x" b: "y"}.
    r"""(?:\s++|(?://|\#\ )[^\n]*+|/\*.*?\*/)*+(?:(?P<mark>[{}\[\],:])
        |(?P<string>"[^"\\]*+(?:(?:\\.|"(?!\ ?[^\W\d]\w*+\ ?:)
                (?=\ ?[^\s"'\],:}/\#]|"\s*+[\],}]))[^"\\]*+)*+"
            |'[^'\\]*+(?:(?:\\.|'(?!\ ?[^\W\d]\w*+\ ?:)(?=\ ?[^\s"'\],:}/\#]))[^'\\]*+)*+')
        |(?P<word>[^\s{}\[\],:"']++))""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?(?:\d{1,300}(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\n": ""}
CONSTANTS = {  # in whatever case
    "true": True,
    "false": False,
    **dict.fromkeys(("null", "none", "nil", "undefined", "nan", "infinity", "-infinity"), None),
}


def parsed(content: bytes) -> object:
    """Return the parsed JSON; None if it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def read_value(text: str, start: int) -> tuple[object, int, bool]:
    """Return the value that begins at ``start``, where it ends, and whether it was cut off."""
    try:
        return *read_strict(text, start), False
    except ValueError:
        reader = _Lenient(text, start)
        return *reader.read(), reader.cut


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None, parse_float=_finite)


def read_strict(text: str, start: int) -> tuple[object, int]:
    """Return the valid JSON value at ``start`` and where it ends. Raises ValueError."""
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


@dataclass(eq=False, repr=False)
class _Lenient:
    """Builds one value from nearly-JSON, with a stack of its own."""

    _text: str
    _position: int
    _open: list[dict[str, object] | list[object]] = field(default_factory=list, init=False)
    _keys: list[str | None] = field(default_factory=list, init=False)
    cut: bool = field(default=False, init=False)

    def read(self) -> tuple[object, int]:
        """Return the value and where it ends; a value cut off keeps what is complete."""
        root: object = None
        while token := self._next():
            kind, symbol = token
            if symbol in ("{", "[") and kind == "mark":
                self._push({} if symbol == "{" else [])
                root = self._open[0]
            elif kind == "mark":
                if not self._punctuate(symbol):
                    return root, self._position
            elif isinstance(self._open[-1], dict) and self._keys[-1] is None:
                if not self._read_key(kind, symbol):
                    break
            elif kind == "word" and self._position == len(self._text):
                break  # a word at the very end may be the first half of one
            else:
                self._put(_scalar(kind, symbol))
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

    def _read_key(self, kind: str, symbol: str) -> bool:
        """Take a key and its colon; False when the text ends between them."""
        colon = self._next()
        if colon is None and not self._text[self._position :].strip():
            return False
        if colon != ("mark", ":"):
            raise ValueError("a colon is missing")
        self._keys[-1] = symbol if kind == "word" else _unquoted(symbol)
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


def _scalar(kind: str, symbol: str) -> object:
    if kind == "string":
        return _unquoted(symbol)
    if symbol.casefold() in CONSTANTS:
        return CONSTANTS[symbol.casefold()]
    if _NUMBER.fullmatch(symbol) is None:
        raise ValueError("it is not JSON")
    return _finite(symbol) if set(symbol) & set(".eE") else int(symbol)


def _unquoted(symbol: str) -> str:
    def character(match: re.Match[str]) -> str:
        escape = match[1]
        if len(escape) > 1:
            code = int(escape[1:], 16)
            return chr(code) if code <= 0x10FFFF else "\ufffd"
        return _ESCAPES.get(escape, escape)

    return _ESCAPE.sub(character, symbol[1:-1])
