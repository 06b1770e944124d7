"""The operator's commands: `python bot.py` with its arguments, output and exit codes."""
