"""Parse the JSON that language models write, which is often slightly broken.

Pure functions. What recurses does so over the schema, or to a bounded depth over what the model
wrote, so that deep nesting costs a ValueError and never the stack.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Set
from contextlib import suppress
from typing import Any

from utils.llm.json_reader import CONSTANTS, MAX_DEPTH, read_strict, read_value
from utils.models.llm import as_json

MAX_CHARS = 60_000
MAX_STARTS = 16

_TAG = (  # around calls: DeepSeek's lines are wide, Phi-4 mini's are not, Nemotron writes capitals
    r"<[/|｜]*(?:\w{1,20}[_:|｜])?(?:tools?[_▁]?(?:calls?|prefix|suffix|sep)|function_?calls?|"
    r"python_tag)[\w▁]*[|｜]?>|<tools>(?=\s*[\[{])|</tools>|<\|(?:(?:start|end)_action|action_(?:start|end))\|>|"
    r"\[/?TOOL_CALLS\]|<\|open\|>tools\b"
)
_NAME_TAG = (
    r"<[|｜]*(?:\w+[:|｜])?(?:function|invoke)(?:=|\s+name=)[\"']?|"
    r"(?:<\|channel\|>|\A(?:assistant)?)\s*commentary\s+to=|"  # gpt-oss
    r"\A\s*Action:[ \t]{0,9}(?=[\w.-]{1,64}\s{1,9}Action Input:)"  # ReAct
)
_MARKS = re.compile(
    rf"\A\s*(?:(?:```(?!py)\w*|{_TAG}|</[|｜]?(?:\w+[:|｜])?(?:function|invoke)>|<\|plugin\|>|"
    r"(?:<\|constrain\|>)?(?:json)?\s*<\|message\|>|<\|call\|>|[;,)\]])\s*)*",
    re.IGNORECASE,
)
_OWN = (  # JSON, an end without a beginning, a quoted line or mark, or one in a sentence
    r"\A\s*[\[{]\s*[\"\[{].*|\A\s*</\w+>\s*\w|^>[^\n]*|"
    rf"(?:(?<![\w.!?])[\"'(»]|[„“«‘]|(?<=\w[^\S\n]))(?:{_TAG}|{_NAME_TAG}).*|"
    rf"(?:{_TAG})(?:[.,;:!?]?[^\S\n]+[^\W\d_]+[^\S\n]+\w.*|[.!?]\s*\Z)"
)
_FIRST_MARK = re.compile(  # one in code is the answer's own words
    rf"{_OWN}|(?P<mark>```tool_code\b|{_TAG}|{_NAME_TAG})|```.*?(?:```|\Z)|`[^`\n]+`",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_SIGNS = ("<", "[", "```", "commentary", "Action")  # each mark has one
_NAMED = re.compile(  # with what stands around a name
    rf"(?:print\(|\[)?(?:function<｜tool[_▁]sep｜>)?\s*(?:{_NAME_TAG})?(?:\w+[.:])?"
    r"(?P<name>[\w-]++)(?::\d+)?(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?[\"']?>?\s*"
    r"(?:json(?=\{))?(?:Action Input:\s*)?"
)
_PARAMETER = re.compile(
    r"<(?:[^\s<>]+[:|｜])?(?:param(?:eter)?(?:=|\s+name=)[\"']?([\w.-]++)[^<>]*+>|"
    r"arg_key>\s*([\w.-]+)\s*</(?:[^\s<>]+\|)?arg_key>\s*<(?:[^\s<>]+\|)?arg_value>)"
    r"\n?(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?\n?</(?:[^\s<>]+[:|｜])?(?:param(?:eter)?|arg_value)>\s*",
    re.DOTALL,
)
_GEMMA_TEXT = re.compile(r'<(?:\|"\||escape)>(.*?)<(?:\|"\||escape)>', re.DOTALL)
_NAME_KEYS = ("name", "tool_name", "tool", "function", "action")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "tool_input", "action_input", "input")
_BEHIND = re.compile(  # words: a call in a line of its own, whose name is one of an offered tool
    r"\n[ \t]{0,9}(?:```\w{0,9}\s{1,9})?"
    r'(?=\[?\{\s{0,9}"(?:(?:name|tool|tool_name|type|function)"\s?:|\w{0,9}"?\s?\Z))'
)
_PYTHON = re.compile(
    r""""[^"\\]*+(?:\\.[^"\\]*+)*+"?|'[^'\\]*+(?:\\.[^'\\]*+)*+'?|[(=)]""", re.DOTALL
)


def parse_arguments(
    text: str, schema: dict[str, Any], *, refuse_truncated: bool = False
) -> dict[str, Any]:
    """Read a tool call's arguments out of ``text`` and give them the shape of ``schema``.

    Accepts a code fence, words around the JSON, trailing commas, Python's quotes and constants,
    NaN (as null), JSON inside a JSON string, the arguments inside a call, keys in another case,
    one object or several where a list belongs, and text that was cut off: what is complete stays,
    the last incomplete item goes. Objects, lists, required top-level keys and nullable keys are
    then as the schema says; values are not checked.
    ``refuse_truncated`` refuses text that was cut off.

    Raises ValueError, with a short reason that quotes nothing, when nothing usable is found.
    """
    reason, properties = "there is no JSON in it", schema.get("properties", {})
    values = list(_values(text[:MAX_CHARS], refuse_truncated=refuse_truncated))
    read = [value for value, _ in values]
    keys = [key.casefold() for key, inner in properties.items() if not _branch(inner, "array")]
    written, understood = text.casefold(), str(read).casefold()
    # A part of what could not be read: what stands beside it would be lost, as a secret.
    is_part = any(written.count(key) > understood.count(key) for key in keys)
    for place, (value, inside) in enumerate(values, 1):
        inside = inside or is_part
        if inside and not (isinstance(value, dict) and value.keys() & properties.keys()):
            continue
        try:
            if (
                properties
                and isinstance(value, dict)
                and not _object_with(properties.keys(), value)
            ):
                value = [value, *read[place:]]  # items without their list
            arguments = _fit(value, schema)
            missing = [key for key in schema.get("required", ()) if key not in arguments]
        except ValueError as error:
            reason = str(error)
            continue
        if not missing:
            if lost := [key for key in properties if _says(read, key) > _says(arguments, key)]:
                raise ValueError(f"{', '.join(lost)} must stand beside the other keys, once")
            return dict(arguments)
        reason = f"it lacks {', '.join(missing)}"
    raise ValueError(reason)


def parse_call(text: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Read the arguments of a tool that acts on what they say, as :func:`parse_arguments` does.

    Nothing written means no arguments; what was cut off is refused, since the missing half may
    change what was meant. Raises ValueError, with a short reason that quotes nothing.
    """
    if re.fullmatch(r"(?:null|\{\s*\})?", text.strip()) is None:
        return dict(_sound(parse_arguments(text, schema, refuse_truncated=True), MAX_DEPTH))
    properties = schema.get("properties", {})
    arguments = {key: None for key, inner in properties.items() if _branch(inner, "null")}
    if missing := [key for key in schema.get("required", ()) if key not in arguments]:
        raise ValueError(f"it lacks {', '.join(missing)}")
    return dict(arguments)


def written_calls(
    text: str, schemas: Mapping[str, dict[str, Any]]
) -> tuple[str, list[tuple[str, str]]]:
    """Return an answer's own words, and the tool calls in it: names, and arguments as text.

    Calls begin at a mark that is neither quoted, in code nor in a sentence. What cannot be read
    there, or was cut off, is a call whose arguments cannot be read. Words behind a call are left
    out: the model guessed what it would find. Without a mark, all of the text has to be calls of
    ``schemas``, or its end, in a line of its own: small models write so after "I'll note that:".
    """
    words = marked = without_marks(text)
    if marked == text and (call := _BEHIND.search(text)) and not may_be_calls(text[: call.start()]):
        words = text[: call.start()]
    unread = _GEMMA_TEXT.sub(lambda match: json.dumps(match[1]), text.removeprefix(words) or text)
    calls: list[tuple[str, str]] = []
    try:
        while unread := _MARKS.sub("", unread, count=1):
            if len(unread) > MAX_CHARS or len(calls) > MAX_STARTS:
                raise ValueError("it is too much")
            if (named := _NAMED.match(unread)) and named["name"] in schemas:
                arguments, unread = _named_arguments(unread[named.end() :], schemas[named["name"]])
                calls.append((named["name"], arguments))
            elif unread.startswith(("{", "[")):
                value, end, cut = read_value(unread, 0)
                items = value if isinstance(value, list) else [value]
                calls += [_written_call(item, schemas, cut) for item in items]
                unread = unread[end:]
            elif calls and marked != text and (guessed := without_marks(unread)):
                unread = unread.removeprefix(guessed)
            else:
                raise ValueError("it is no call")
    except ValueError:
        calls = [*calls, ("unknown", "?")] if marked != text else []
    return ("" if calls and words == text else (words if calls else marked).strip()), calls


def without_marks(text: str) -> str:
    """Return what stands before the first mark of a call that is not the answer's own words."""
    if not any(sign in text for sign in _SIGNS):  # a stream asks with each of its pieces
        return text
    marks = (match.start() for match in _FIRST_MARK.finditer(text) if match["mark"])
    return text[: next(marks, None)]


def known_name(name: str, names: Collection[str]) -> str:
    """Return the one of ``names`` that a name with decoration can mean; else the name itself.

    Seen: ``functions.remember``, ``remember<|channel|>commentary``, ``default_api:remember``,
    ``functions.remember:0``, ``askLater``.
    """
    if name in names:
        return name
    called = re.sub(r":[0-9]+\s*\Z", "", name.partition("<")[0])
    parts = (called, re.split(r"[.:/]", called)[-1])
    plain = {re.sub(r"[\W_]+", "", part).casefold() for part in parts}
    meant = [known for known in names if re.sub(r"[\W_]+", "", known).casefold() in plain]
    return meant[0] if len(meant) == 1 else name


def may_be_calls(text: str) -> bool:
    """Whether an incomplete text begins, or ends, like one that :func:`written_calls` reads."""
    beginnings = {text.lstrip()[:1], _MARKS.sub("", text, count=1)[:1]}
    return not beginnings.isdisjoint(("", *"{[<")) or _BEHIND.search(text) is not None


def without_lone_surrogates(text: str) -> str:
    """Replace half characters, which no database, log or socket can encode.

    Returns a text without any as it is: a copy of each prompt would wait with it for the model.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _named_arguments(text: str, schema: dict[str, Any]) -> tuple[str, str]:
    """Return the arguments that follow a call's name, as text, and what comes after them.

    They are JSON, Python's between parentheses, or tags. Raises ValueError for anything else.
    """
    if re.match(r"(?:<tool_sep>\s*)?</", text):
        return "", text
    unread = _MARKS.sub("", text, count=1)
    if unread.startswith(("{", "(")):
        signs = dict(zip("(=)", "{:}", strict=True)) if unread[0] == "(" else {}
        value, end, cut = read_value(
            _PYTHON.sub(lambda match: signs.get(match[0], match[0]), unread), 0
        )
        return "?" if cut else as_json(value), unread[end:]
    arguments: dict[str, Any] = {}
    while (parameter := _PARAMETER.match(unread)) and (
        parameter[1] or parameter[2]
    ) not in arguments:
        key, unread = parameter[1] or parameter[2], unread[parameter.end() :]
        arguments[key] = _typed(parameter[3], schema.get("properties", {}).get(key))
    if not arguments or not unread.startswith("</"):
        raise ValueError("it does not end")
    return as_json(arguments), unread


def _typed(text: str, schema: Any) -> Any:
    """Return the value that a tag's text means: its words where ``schema`` wants words."""
    if _branch(schema, "string") and not (text == "null" and _branch(schema, "null")):
        return text
    with suppress(ValueError):
        value, end, cut = read_value(f"[{text}]", 0)
        if isinstance(value, list) and len(value) == 1 and not cut and end == len(text) + 2:
            return value[0]
    return text


def _written_call(item: Any, names: Collection[str], cut: bool) -> tuple[str, str]:
    item = _object_with(set(_ARGUMENT_KEYS), item) or item
    if isinstance(item, dict) and "description" not in item:  # which tells of a tool
        name = next((item[key] for key in _NAME_KEYS if isinstance(item.get(key), str)), None)
        if not name and [dict] == [type(value) for value in item.values()]:
            name = next(iter(item))
        known = known_name(name or "", names)
        for key in (*_ARGUMENT_KEYS, name):
            if known in names and (cut or key in item):
                return known, "?" if cut else as_json(item[key])
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


def _values(text: str, *, refuse_truncated: bool = False) -> Iterator[tuple[object, bool]]:
    """Yield each JSON value that begins in ``text``, outermost first, left to right.

    The flag tells that a bracket before it could not be read: the value may be a part of
    something broken, so that an empty list there does not mean that nothing was meant.
    """
    if text.lstrip().startswith('"'):
        with suppress(ValueError):  # it may be a quoted word in front of the JSON
            yield read_strict(text, text.index('"'))[0], False
    position, inside = 0, False
    for _ in range(MAX_STARTS):
        start = min((at for at in (text.find(c, position) for c in "{[") if at >= 0), default=-1)
        if start < 0:
            return
        try:
            value, position, cut = read_value(text, start)
        except ValueError:
            position, inside = start + 1, True
            continue
        if cut and refuse_truncated:
            raise ValueError("it is cut off")
        yield value, inside


def _object_with(keys: Set[str], value: object, depth: int = 3) -> dict[str, Any] | None:
    """Return the one object in a value that has some of the keys, also one in a JSON text."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = next(_values(value), (None, False))[0]
    if not isinstance(value, dict):
        return None
    value = {known_name(key, keys): value[key] for key in value}
    parts = [_object_with(keys, part, depth - 1) for part in value.values() if depth]
    found = [value] if value.keys() & keys else list(filter(None, parts))
    return found[0] if len(found) == 1 else None


def _says(value: object, key: str, depth: int = 8) -> bool:
    """Whether ``key`` has a value other than false in an object of ``value``."""
    if isinstance(value, dict):
        said = value.get(key)
        is_said = said is not False and not _is_nothing(said)
        return is_said or _says(list(value.values()), key, depth)
    items = value if isinstance(value, list) and depth else []
    return any(_says(item, key, depth - 1) for item in items)


def _is_nothing(value: object) -> bool:
    """Whether it is null, also as a word, or empty."""
    if isinstance(value, str):
        return (
            value.strip() in ("[]", "{}")
            or CONSTANTS.get(value.strip().casefold() or "null", value) is None
        )
    return value in (None, [], {})


def _branch(schema: Any, kind: str) -> dict[str, Any] | None:
    """Return the part of ``schema`` that allows values of type ``kind``, or None."""
    if not isinstance(schema, dict):
        return None
    kinds = schema.get("type")
    if kind == kinds or (isinstance(kinds, list) and kind in kinds):
        return schema
    options = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return next((branch for option in options if (branch := _branch(option, kind))), None)


def _fit(value: object, schema: Any) -> Any:
    """Give ``value`` the shape of ``schema``; raises ValueError when that cannot be done."""
    listed, keyed, worded = (_branch(schema, kind) for kind in ("array", "object", "string"))
    if isinstance(value, str):
        value = without_lone_surrogates(value)
        if not worded and (keyed or _branch(schema, "boolean")):
            value = CONSTANTS.get(value.strip().casefold() or "null", value)
        if (listed or keyed) and not worded:
            for _ in range(2):  # JSON that was written into a JSON string
                value = next(_values(value), (value, False))[0] if isinstance(value, str) else value
    if value in (None, "null", "None") and _branch(schema, "null"):
        return None
    if listed and not (keyed and isinstance(value, dict)):
        if value is None:
            return []
        items = value if isinstance(value, list) else [value]
        fitted = []
        for item in items:
            with suppress(ValueError):
                fitted.append(_fit(item, listed.get("items")))
        if items and not fitted:
            raise ValueError("no item of a list has the right form")
        return fitted
    if worded and isinstance(value, list) and not any(isinstance(v, dict | list) for v in value):
        return ", ".join(map(str, value))
    is_plain = (worded or _branch(schema, "integer")) and not (keyed or _branch(schema, "null"))
    if is_plain and isinstance(value, dict | list):
        raise ValueError("a plain value has parts")
    return _fit_object(value, keyed) if keyed else value


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
    """Return an envelope's content, or a bare list under the object's only list property."""
    if isinstance(value, dict):
        return _object_with(properties.keys(), value) or value
    items = value if isinstance(value, list) else []
    parts = [item for item in items if isinstance(item, dict) and item.keys() & properties.keys()]
    lists = [key for key, inner in properties.items() if _branch(inner, "array")]
    if parts:
        return _merged(parts)
    return {lists[0]: value} if isinstance(value, list) and len(lists) == 1 else value


def _merged(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Put several answers to one question together: lists and texts are joined.

    Of other values the last counts.
    """
    merged: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            before = merged.get(key)
            if _is_nothing(before) or before == value:
                merged[key] = value
            elif isinstance(value, list) and isinstance(before, list):
                merged[key] = before + value
            elif isinstance(value, str) and isinstance(before, str) and not _is_nothing(value):
                merged[key] = f"{before}\n{value}"  # each may name what is confidential
            elif not _is_nothing(value):
                merged[key] = value
    return merged
