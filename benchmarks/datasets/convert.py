"""Converts public evaluation data to the exchange files of `bot.py policy evaluate` and `tune`.

    python -m benchmarks.datasets.convert FILE > OUT

FILE is in the format of LoCoMo, RealMem or LongMemEval. Questions without evidence in the file are
left out.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from benchmarks.datasets import load
from utils.memory.evaluation.dialogue_exchanges import Dialogue, DialogueQuestion, to_json

OTHERS_QUESTIONS = 5  # LoCoMo's category about what another person said: there is no evidence


def convert(file: Path) -> list[Dialogue]:
    """Return a file's dialogues with the questions that have evidence."""
    _, dialogues = load(file)
    return [replace(dialogue, questions=_answerable(dialogue)) for dialogue in dialogues]


def _answerable(dialogue: Dialogue) -> list[DialogueQuestion]:
    return [question for question in dialogue.questions if question.category != OTHERS_QUESTIONS]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.datasets.convert", description=__doc__
    )
    parser.add_argument("file", type=Path, help="the JSON file of LoCoMo, RealMem or LongMemEval")
    print(to_json(convert(parser.parse_args().file)))
