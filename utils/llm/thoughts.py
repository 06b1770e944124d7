"""Cut from a model's text what is no answer: thoughts, marks of its template, echoes of the prompt.

One function serves streamed and whole answers. Tags in code, or in a text of JSON or Python,
are the answer's own words.
"""

import re
from collections.abc import Iterator

MAX_MARK = 64  # characters

_NAMES = (
    r"(?:(?:\w{1,12}[:_])?think(?:ing)?|(?:inner|internal)_(?:thoughts?|monologue)|"
    r"thoughts?(?:_process)?|reasoning(?:_content)?|analysis|reflection|scratchpad)"
)
_OPEN = (
    rf"<{_NAMES}(?:\s[^<>]*)?>|\[think\]|◁think▷|<\|channel>thought\b|<unused94>|"
    r"<\|?begin_of_thought\|?>|<\|start_thinking\|>|<\|inner_prefix\|>|"
    r"<\|(?:thought_start|think(?:ing)?)\|>"
)
# Of Granite 3.2 and ReAct, unless it is the answer's:
_SAID = r"\A\s*(?:here(?:'s| is) my thought process|Thought):"
_CLOSE = (
    rf"</{_NAMES}\s*>(?:\s*<response>)?|\[/think\]|◁/think▷|<channel\|>|<unused95>|"
    r"<\|?end_of_thought\|?>|<\|end_thinking\|>|"
    r"<\|inner_suffix\|>|<\|(?:thought_end|/think(?:ing)?)\|>|"
    r"(?=<\|channel\|>\s*commentary\s+to=)"  # a call
)
_ANSWER = (  # what stands before it is no answer
    r"<\|channel\|>\s*final\b[^<]*<\|message\|>|assistantfinal(?:json)?|"
    r"<\|?begin_of_solution\|?>|<\|start_response\|>|<answer>|\A\s*<response>|"
    rf"{_SAID}.*?^(?:here(?:'s| is) my response:|Final Answer:|"
    r"(?=Action:[^\n]{1,80}\n\s?Action Input:))|"
    r"\A\s*(?:<\|(?:im_start|start_header_id|start_of_role)\|>assistant(?:<\|end_(?:header_id|of_role)\|>)?+|"
    r"<[|｜]assistant[|｜]>|<start_of_turn>model\b|### (?:Response|Assistant):)"
    r"(?! (?-i:[a-z]))"  # not "<|assistant|> is"
)
_HARMONY = (
    r"(?:<\|start\|>assistant\s*)?<\|channel\|>\s*(?:analysis|commentary(?!\s+to=))\b|"
    r"\Aanalysis(?=[A-Z])"
)
_END = (  # what follows is another turn
    r"<\|(?:im_end|eot|eot_id|eom_id|endoftext|end_of_text|return|end|user|im_start|im_user|"
    r"role_end)\|>|</s>|(?<!\s)<eos>(?=\s*[\n<])|<eos>\s*\Z|<(?:seed:eos|turn\||｜User｜)>|</response>\s*\Z|<end_of_turn>|<\|start_header_id\|>|<｜end▁of▁sentence｜>|\[INST\]|"
    r"<\|?end_of_solution\|?>|<\|end_response\|>|</answer>|^[^\S\n]{0,8}(?:User|Human):|"
    r"\[/INST\]|^### (?:Instruction|Human|User):|<pad>(?=\s?(?:<pad>|\Z))|"
    r"\A\s*(?:<s>(?! (?-i:[a-z]))|<\|begin_of_text\|>)"
)
_TEXT = (  # of JSON or Python
    r"""(?:(?<=[:,=({\[])|(?<=[:,=({\[]\s))(?:"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|"""
    r"""'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')(?=\s*[:,)}\]])"""
)
_MARK = re.compile(
    rf"(?P<code>```.*?```|`[^`\n]+`|{_TEXT})|(?P<echo><(?P<block>background|attachments)>.*?(?:</(?P=block)>|\Z))|"
    rf"(?P<answer>{_ANSWER})|(?P<said>{_SAID})|(?P<open>{_OPEN}|{_HARMONY})|(?P<close>{_CLOSE})|"
    rf"(?P<end>{_END})",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_PARTS = (  # a mark has one
    *("`", "<", "[", "◁", "analysis", "assistantfinal", "user:", "human:", "###"),
    "thought",
)
_NAME = re.compile(
    r"\A\s*(?:(?:\*\*)?(?:Kith|Assistant)(?:\*\*)?\s*:(?:\*\*)?[^\S\n]*|(?-i:assistant)\n+)",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    rf"(?:<\|[^\n]{{0,60}}|<(?:{_NAMES}|(?:\w+:|｜DSML｜)?(?:function|invoke))\s[^<>]{{0,60}}|"
    r"[<\[◁][^\s>\]▷]{0,30}|``+(?:t\w{0,8})?|\A\s*<start_of_turn>\w{0,4}|"
    r"\n(?:U|Us|Use|User|H|Hu|Hum|Huma|Human)|\A\s*\**(?:K\w{0,3}|A\w{0,8})?\**|"
    r"\A\s*here(?:'s?| is?)?(?: my?(?: \w{0,8}){0,2})?)\Z",
    re.IGNORECASE,
)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def without_thoughts(text: str, *, is_growing: bool = False, is_cut: bool = False) -> str:
    """Return the answer in a model's text; "" if it holds none.

    Args:
        text: all of the text so far.
        is_growing: more of it may come, so a mark may be unfinished, and an open thought is no
            answer.
        is_cut: no more comes, but the model did not end it. Otherwise the last paragraph of a
            thought that nothing closes is the answer.
    """
    kept: list[str] = []
    thought_from: int | None = None
    position, has_words = 0, False
    for mark in _marks(text):
        kind = mark.lastgroup if mark.lastgroup != "block" else "echo"
        is_words = kind == "said" and not (is_growing or is_cut)
        if is_words or kind == "code" or (kind == "open" and thought_from is not None):
            continue
        if kind in ("close", "answer"):
            if thought_from is None or kind == "answer":
                kept.clear()
                has_words = False
            thought_from = None
        elif thought_from is None:
            kept.append(text[position : mark.start()])
            has_words = has_words or bool(kept[-1].strip())
            if kind in ("open", "said"):
                thought_from = mark.end()
            elif kind == "end" and has_words:
                position = len(text)
                break
        else:
            continue
        position = mark.end()
    rest = text[position:]
    if thought_from is not None:
        paragraphs = _BLANK_LINE.split(rest.strip())
        rest = "" if is_growing or is_cut or len(paragraphs) == 1 else paragraphs[-1]
    elif is_growing and (unfinished := _UNFINISHED.search(rest, max(0, len(rest) - MAX_MARK))):
        rest = rest[: unfinished.start()]
    answer = _NAME.sub("", "".join([*kept, rest]), count=1)
    return answer.lstrip() if is_growing else answer.strip()


def holds_thoughts(text: str) -> bool:
    """Whether a text holds the beginning or the end of a thought."""
    return any(mark["open"] or mark["close"] or mark["answer"] for mark in _marks(text))


def thinks_unmarked(text: str) -> bool:
    """Whether a text holds the end of a thought whose beginning was not marked."""
    first = next((mark for mark in _marks(text) if mark["open"] or mark["close"]), None)
    return bool(first and first["close"])


def _marks(text: str) -> Iterator[re.Match[str]]:
    """Yield the marks in a text, which is all of an answer again after each of its tokens."""
    lowered = text.lower()
    if any(part in lowered for part in _PARTS):  # else a long answer would take a second
        yield from _MARK.finditer(text)
