"""JSON as language models write it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from utils.llm.json_repair import parse_arguments

repeatable = settings(deadline=None, derandomize=True)

ITEM = {
    "type": "object",
    "properties": {
        "memory": {"type": "string"},
        "confidence": {"type": "number"},
        "topics": {"type": "array", "items": {"type": "string"}},
        "replaces": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["memory", "confidence", "topics", "replaces"],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "properties": {
        "memories": {"type": "array", "items": ITEM},
        "profile_update": {"type": ["string", "null"]},
    },
    "required": ["memories", "profile_update"],
    "additionalProperties": False,
}
REX = {"memory": "has a dog", "confidence": 0.9, "topics": ["pets"], "replaces": None}
MIA = {"memory": "has a cat", "confidence": 1, "topics": [], "replaces": "m3"}

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
memories = st.fixed_dictionaries(
    {
        "memory": words,
        "confidence": st.floats(0, 1) | st.integers(-5, 5),
        "topics": st.lists(words, max_size=3),
        "replaces": st.none() | words,
    }
)
answers = st.fixed_dictionaries(
    {"memories": st.lists(memories, max_size=4), "profile_update": st.none() | words}
)


def parsed(text):
    return parse_arguments(text, SCHEMA)


def of(*items, profile=None):
    return {"memories": list(items), "profile_update": profile}


# -- what comes in good order ---------------------------------------------------------------


@repeatable
@given(answers, st.booleans(), st.sampled_from([None, 2]))
def test_proper_json_is_read_as_it_is(answer, ascii_only, indent):
    assert parsed(json.dumps(answer, ensure_ascii=ascii_only, indent=indent)) == answer


@repeatable
@given(answers)
def test_json_inside_a_json_string_is_unpacked(answer):
    assert parsed(json.dumps(json.dumps(answer))) == answer
    assert parsed(json.dumps({**answer, "memories": json.dumps(answer["memories"])})) == answer


@repeatable
@given(answers)
def test_trailing_commas_are_forgiven(answer):
    items = "".join(f"{json.dumps(item)[:-1]},}}," for item in answer["memories"])
    profile = json.dumps(answer["profile_update"])
    assert parsed(f'{{"memories": [{items}], "profile_update": {profile},}}') == answer


# -- what is cut off ------------------------------------------------------------------------


@repeatable
@given(answers, st.data())
def test_of_json_that_is_cut_off_the_complete_items_remain(answer, data):
    written = json.dumps(answer)
    cut = data.draw(st.integers(0, len(written) - 1))
    try:
        found = parsed(written[:cut])
    except ValueError:
        return
    assert found["memories"] == answer["memories"][: len(found["memories"])]
    assert found["profile_update"] in (answer["profile_update"], None)


def test_a_cut_number_is_not_taken_for_a_whole_one():
    assert parsed('{"memories": [], "profile_update": null')["memories"] == []
    schema = {"type": "object", "properties": {"n": {"type": ["integer", "null"]}, "m": {}}}
    assert parse_arguments('{"m": 1, "n": 12', schema) == {"m": 1, "n": None}


# -- what has another shape -----------------------------------------------------------------


@each_row(
    ("text", "answer"),
    [
        (json.dumps({"memories": REX}), of(REX)),
        (json.dumps({"memories": None}), of()),
        (f"{{/* one */ 'memories': [ // Rex\n {json.dumps(REX)}]}}", of(REX)),
        (json.dumps([REX, MIA]), of(REX, MIA)),
        (f"- memories: {json.dumps([REX, MIA])}", of(REX, MIA)),
        (json.dumps(REX), of(REX)),
        ("[]", of()),
        (json.dumps([of(REX)]), of(REX)),
        (json.dumps([of(REX), of(MIA, profile="Has pets.")]), of(REX, MIA, profile="Has pets.")),
        (
            json.dumps([of(REX, profile="s1"), of(MIA, profile="s2")]),
            of(REX, MIA, profile="s1\ns2"),
        ),
        *(
            (
                json.dumps([of(REX, profile="s1"), of(MIA, profile=nothing)]),
                of(REX, MIA, profile="s1"),
            )
            for nothing in ("", "null", "s1")
        ),
        (json.dumps({"memories": [{**REX, "topics": "pets"}]}), of(REX)),
        (json.dumps({"memories": [{**REX, "profile_update": False}]}), of(REX)),
        (json.dumps({"memories": [REX, "and so on", 7, {"note": "x"}]}), of(REX)),
        (json.dumps({**of(REX), "mood": "good"}), of(REX)),
        (json.dumps({"memories": [{"memory": "a"}]}), of({"memory": "a", "replaces": None})),
        (json.dumps({"example": 1}) + json.dumps(of(REX)), of(REX)),
        (json.dumps({"name": "extract", "arguments": of(REX)}), of(REX)),
        (json.dumps({"function": {"name": "x", "arguments": json.dumps(of(REX))}}), of(REX)),
        (f"{json.dumps(REX)}\n{json.dumps(MIA)}", of(REX, MIA)),
        (
            json.dumps(MIA) + json.dumps({**REX, "memory": "fixed profile_update"}),
            of(MIA, {**REX, "memory": "fixed profile_update"}),
        ),
        (json.dumps({"Memories": [REX], "profileUpdate": "x"}), of(REX, profile="x")),
        (
            json.dumps({"memories": [{**REX, "memory": ["has", "a dog"]}]}),
            of({**REX, "memory": "has, a dog"}),
        ),
        (json.dumps({"memories": [REX, {**REX, "memory": {"type": "string"}}]}), of(REX)),
        (json.dumps({"memories": [], "profile_update": "None"}), of()),
        (
            '{"memories": [], "profile_update": "called "Rex" by Mia"}',
            of(profile='called "Rex" by Mia'),
        ),
        ("{'memories': [], 'profile_update': 'I'm Ada'} # done", of(profile="I'm Ada")),
        ('{"memories": [], # none\n"profile_update": NULL}', of()),
        ("{memories: [], profile_update: 'x'}", of(profile="x")),
        (  # raw line breaks and wrong escapes
            '{"memories": [], "profile_update": "line\none\\\'s \\q \\x41 \\u00e9 \\ud83d\\ude00"}',
            of(profile="line\none's q A é 😀"),
        ),
        ('{memories: [{memory: "a" replaces: "b"}]}', of({"memory": "a", "replaces": "b"})),
    ],
)
def test_the_shape_of_the_schema_is_restored(text, answer):
    assert parsed(text) == answer


# -- what wants to do harm ------------------------------------------------------------------

nearly_json = st.lists(
    st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"',
            "'",
            "\\",
            '"memories"',
            '"memory"',
            "null",
            "1",
            "x",
            " ",
        ]
    ),
    max_size=40,
).map("".join)


@repeatable
@given(st.text() | nearly_json)
def test_any_text_gives_the_schemas_shape_or_a_value_error(text):
    try:
        found = parsed(text)
    except ValueError:
        return
    assert found.keys() == {"memories", "profile_update"}
    assert all(isinstance(item, dict) for item in found["memories"])
    json.dumps(found)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "[" * 60 + "{'a': " * 50_000,
        "'" + "\\'" * 100_000,
        "1" * 200_000,
        '{"a": ' * 60 + "'" * 100_000,
        json.dumps({"draft": of(MIA), "final": of(REX)}),
        json.dumps({"type": "object", "properties": SCHEMA["properties"]}),
        json.dumps({"memories": {"1": REX, "2": MIA}}),
        f"- memories: {json.dumps([REX])}\n- **profile_update**: x",
        '{"memories": [], "profile_update": "is "Rex", of Mia"}',
        f"<parameter=profile_update>x</parameter><parameter=memories>{json.dumps([REX])}",
        '{"memories": [], "profile_update": "is "kind", not"}\nSo.',
        json.dumps({"memories": [{**REX, "profile_update": "x"}]}),
        json.dumps({"memories": [REX]}) + '\n{"profile_update": "x"}',
        f"The form is {json.dumps(of())}. Mine: {json.dumps(of(REX))}",
    ],
)
@pytest.mark.timeout(20)
def test_hostile_or_doubtful_input_is_refused_without_much_cost(text):
    with pytest.raises(ValueError):
        parsed(text)
