#!/bin/sh
# discord-argparse 1.0.1 with discord.py 2.7.1 (PyPI, CPython 3.11), named arguments for commands of Discord bots. A name is
# looked up in small letters and kept as it was written: after "Images=no" there are an "Images" of no and an "images" of yes,
# the default, which is what the command reads, and nothing is told. A required argument, "Turns=5", is missing then, which
# with discord.py 2 is an AttributeError. Words without "=" are dropped: of "place=the club house" the place is "the", and
# "images no" leaves the images on. "y" is a yes, "n" an error.
# Source: its README, where the command reads params['turns'], and the docstring of ArgumentConverter: "In case an error is
# encountered while parsing the arguments, an InvalidArgumentError or UnknownArgumentError is raised". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "discord-argparse==1.0.1" "discord.py==2.7.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
import asyncio

from discord.ext.commands import CommandError
from discord_argparse import ArgumentConverter, OptionalArgument, RequiredArgument

quiz = ArgumentConverter(
    turns=RequiredArgument(int), images=OptionalArgument(bool, default=True), place=OptionalArgument(str)
)


async def read(text):
    """Print what is read."""
    try:
        print(f"{text}: {await quiz.convert(None, text)}")
    except (CommandError, AttributeError) as error:
        print(f"{text}: {type(error).__name__}")


for text in (
    "turns=5 images=no",
    "turns=5 Images=no",
    "Turns=5 images=no",
    "turns=5 images no",
    "turns=5 place=the club house",
    "turns=5 images=y",
    "turns=5 images=n",
):
    asyncio.run(read(text))
PY
cat seen
cat >expected <<'TEXT'
turns=5 images=no: {'turns': 5, 'images': False}
turns=5 Images=no: {'turns': 5, 'Images': False, 'images': True}
Turns=5 images=no: AttributeError
turns=5 images no: {'turns': 5, 'images': True}
turns=5 place=the club house: {'turns': 5, 'place': 'the', 'images': True}
turns=5 images=y: {'turns': 5, 'images': True}
turns=5 images=n: InvalidArgumentValueError
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
