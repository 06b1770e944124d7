"""What is no answer never reaches a channel: forms seen from models and servers."""

from tests.rows import each_row
from utils.llm.thoughts import without_thoughts

HARMONY = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant"
FORMS = [
    "<think>hm</think>Paris.",
    "<THINK>hm</THINK>\nParis.",
    '<thinking mode="deep">a<think>b</think>Paris.',
    "<think>\n\n</think>\n\nParis.",
    "<reasoning>hm</reasoning>Paris.",
    "<analysis>hm</analysis>Paris.",
    "<seed:think>hm</seed:think>Paris.",
    "[THINK]hm[/THINK]Paris.",
    "◁think▷hm◁/think▷Paris.",
    "<|channel>thought\nhm<channel|>Paris.",
    "<|begin_of_thought|>hm<|end_of_thought|>\n<|begin_of_solution|>Paris.<|end_of_solution|>",
    "<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Paris.<|END_RESPONSE|>",
    "<unused94>thought\nhm<unused95>Paris.",
    HARMONY + "<|channel|>final<|message|>Paris.<|return|>",
    "<|channel|>analysis<|message|>hm<|channel|>final<|message|>Paris.",
    "analysisThe user asks.assistantfinalParis.",
    "<|start|>assistant<|channel|>final<|message|>Paris.",
    "<think>hm<answer>Paris.</answer>",
    "<think>hm\n\nParis.",
    "Paris.<|im_end|>",
    "Paris.</s>",
    "Paris.<|im_end|>\n<|im_start|>user\nand Rome?",
    "Paris.\nUser: and Rome?",
    "<background>\nMira likes tea\n</background>\nParis.",
    "Kith: Paris.",
    "<think>hm</think>\n<response>Paris.</response>",  # Granite 3.3
    "<response>Paris.</response>",  # its thought was taken out by the server
    "Here is my thought process:\nhm\n\nHere is my response:\nParis.",  # Granite 3.2
    "<|start_header_id|>assistant<|end_header_id|>\n\nParis.<|eot|>",
    "<|im_start|>assistant\nParis.<|im_user|>user<|im_middle|>And Rome?",
    "assistant\n\nParis.<turn|>",
    "Paris.<eos>\n<start_of_turn>user\nand Rome?",
    "Paris.\n<eos>",
    "<longcat_think>hm</longcat_think>Paris.",
    "<inner_thoughts>hm</inner_thoughts>Paris.",
    "<thought_process>hm</thought_process>Paris.",
    "<reasoning_content>hm</reasoning_content>Paris.",
    "<internal_monologue>hm</internal_monologue>Paris.",
    "<|inner_prefix|>hm<|inner_suffix|>Paris.",  # Apertus
    "<|start_of_role|>assistant<|end_of_role|>Paris.<|end_of_text|>",
    "<|assistant|>\nParis.",
    "<｜Assistant｜>Paris.",
    "<start_of_turn>model\nParis.<end_of_turn>",
    "<|thought_start|>\nhm\n<|thought_end|>\nParis.",  # MiniCPM 3
    "<|think|>hm<|/think|>Paris.",
    "Thought: hm\nFinal Answer: Paris.",
    "<s> Paris. [/INST]",
    "Paris.<pad><pad>",
    "### Response:\nParis.\n\n### Instruction:\nWrite",
]
UNMARKED = [
    "hm so\n</think>\n\nParis.",
    "hm, in one line </think> Paris.",
    "a</think>b</think>Paris.",
]


@each_row("text", [*FORMS, *UNMARKED])
def test_only_the_answer_is_left(text):
    assert without_thoughts(text) == "Paris."


@each_row(
    "text",
    [
        "The tag `</think>` ends it, `<think>` begins it.",
        "So:\n```html\n<think>x</think>\n```\nDone.",
        "1 < 2 and [x] </b>",
        "XML: <start_response>ok</start_response>, and <end_response> is none.",
        "Assistants are nice: yes.",
        "My analysis: it rains.",
        "XML: <response>ok</response> is one.",
        "XML: <data_analysis>ok</data_analysis> is one.",
        "XML: <my_thoughts>ok</my_thoughts> and <monologue>ok</monologue>",
        "<|assistant|> marks GLM's turns.",
        "<|start_of_role|>assistant<|end_of_role|> is how Granite begins.",
        "Here is my thought process: I asked Ada, then I took the train.",
        "You owe 3 euros.\n\nHere's my response: pay it.",
        "Assistant\n\nA person who helps.",
        "In T5, <eos> ends a text.",
        "<s> begins a text of Llama 2.",
        "Thought: it rains.\nSo take an umbrella.",
        "Seven sixes: 42.\nFinal Answer: 42",
        '{"said": "</think>", "quote": "ends with <|im_end|>"}',
        "[remember(fact='says [INST]')]",
        "In ReAct:\nThought: hm\nAction: search\nAction Input: dogs\nFinal Answer: 3",
        "### Instructions\nMix it.",
        "T5 has\n- <eos>\n- <pad>\nfor its texts; others: <bos> <eos> <pad> <unk>",
    ],
)
def test_an_answer_about_such_things_stays_whole(text):
    assert without_thoughts(text) == text


def test_a_thought_that_was_cut_off_is_no_answer():
    texts = (
        *(("<think>hm\n\nso Paris", True), ("<think>hm, Paris", False)),
        *(("Here is my thought process: Paris is", True), ("Thought: Paris is", True)),
    )
    assert not any(without_thoughts(text, is_cut=is_cut) for text, is_cut in texts)
