#!/bin/sh
# openeval-core 0.2.1 (PyPI, CPython 3.11), which scores what agents did. Argument Correctness looks at the last call of each
# tool only: an agent that looked Ada up as expected, and Ben after her, has 0 of 1 arguments right, and one that guessed first
# and came to Ada in the end has all. The arguments of a tool that was not called at all are left out of the count: of two
# expected calls with an argument each, one call is 1 of 1, and passed. So the agent that guessed is better by this than the
# one that looked further.
# Source: its docstring ("ArgumentCorrectness: correct_args / total_args_evaluated") and README ("what the agent was supposed
# to do"); "Since duplicate names are asserted away, we can just use the first instance" in openeval/metrics.py, where a dict
# keeps the last. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "openeval-core==0.2.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from openeval.metrics import ArgumentCorrectness
from openeval.models import AgentTrace, EvalTestCase, TraceStep


def judge(title, expected, *calls):
    case = EvalTestCase(
        task_id="1",
        input="What does Ada like?",
        expected_tool_calls=[{"tool": tool, "args": {"name": name}} for tool, name in expected],
        expected_final_state={},
        expected_output_contains=[],
        max_steps=5,
        timeout_seconds=10.0,
    )
    steps = [
        TraceStep(
            step_id=number,
            type="tool_call",
            content="",
            tool_name=tool,
            tool_args={"name": name},
            tool_result="",
            timestamp=0.0,
        )
        for number, (tool, name) in enumerate(calls)
    ]
    trace = AgentTrace(task_id="1", input=case.input, steps=steps, final_output="", actual_state={}, metadata={})
    result = ArgumentCorrectness().score(trace, case)
    print(f"{title}: {result.score}, passed {result.passed}: {result.details}")


ada = ("recall", "Ada")
judge("Ada", [ada], ada)
judge("Ada, then Ben", [ada], ada, ("recall", "Ben"))
judge("Ben, Cy, then Ada", [ada], ("recall", "Ben"), ("recall", "Cy"), ada)
judge("Ada recalled, and no reminder set", [ada, ("remind", "Ada")], ada)
judge("no call expected, Ben recalled", [], ("recall", "Ben"))
PY
cat seen
cat >expected <<'TEXT'
Ada: 1.0, passed True: Correctly matched 1 of 1 expected arguments.
Ada, then Ben: 0.0, passed False: Correctly matched 0 of 1 expected arguments.
Ben, Cy, then Ada: 1.0, passed True: Correctly matched 1 of 1 expected arguments.
Ada recalled, and no reminder set: 1.0, passed True: Correctly matched 1 of 1 expected arguments.
no call expected, Ben recalled: 1.0, passed True: No expected tools, no arguments to evaluate.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
