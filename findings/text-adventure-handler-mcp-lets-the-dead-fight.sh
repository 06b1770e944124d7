#!/bin/sh
# text-adventure-handler-mcp 0.1.6 with fastmcp 4.2.3 and mcp 2.3.0 (PyPI, CPython 3.11), a server over MCP that keeps the
# state of a text adventure, so that the model need not ("never edit state in prose"). Who has 0 hit points is
# "Unconscious/Dead" once, in that one result: the next combat_round lets them hit as before, and take_action lets them walk
# away. An action without a stat always succeeds and is worth 10 points, so the score of a game counts what was done, not how
# it went. A stat that is raised by 50 stops at 20, and the result says "change": 50. The inventory takes "-3x sword". A rat
# is hit for ever, as no opponent has hit points. What is refused, an unknown stat or money where there is none, comes as a
# result that is not marked as an error.
# Source: the tools' descriptions: modify_state is "the ONLY tool for HP", manage_inventory has "respect quantities", and
# combat_round is to be used "instead of hand-waving combat math". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "text-adventure-handler-mcp==0.1.6" "fastmcp==4.2.3" "mcp==2.3.0"
cd "$folder"
python3 - <<'PY'
import json
import subprocess

program = subprocess.Popen(
    ["venv/bin/text-adventure-handler-mcp"],
    env={"PATH": "/usr/bin:/bin", "HOME": "."},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)
sent = 0


def ask(method, params):
    """Send a request; returns its result. The program also prints plain lines, which are skipped."""
    global sent
    sent += 1
    print(json.dumps({"jsonrpc": "2.0", "id": sent, "method": method, "params": params}), file=program.stdin, flush=True)
    for line in program.stdout:
        if line.startswith("{") and (answer := json.loads(line)).get("id") == sent:
            return answer["result"]
    raise SystemExit(f"no answer to {method}")


def call(name, **arguments):
    """Call a tool; returns what it says, and whether that is marked as an error."""
    result = ask("tools/call", {"name": name, "arguments": arguments})
    return json.loads(result["content"][0]["text"]), result["isError"]


with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=program.stdin, flush=True)
    game = call("start_adventure", adventure_id="fantasy_dungeon", character_name="Anna")[0]["session_id"]

    def play(name, **arguments):
        return call(name, session_id=game, **arguments)

    raised, _ = play("modify_state", action="stat", stat_name="Strength", value=50)
    print("strength:", raised["old_value"], "to", raised["new_value"], "change", raised["change"])
    swords, _ = play("manage_inventory", action="add", item_name="sword", quantity=-3)
    print("inventory:", swords["current_inventory"])
    died, _ = play("modify_state", action="hp", value=-99)
    print("hit points:", died["new_hp"], died["status"])
    rounds = [play("combat_round", target_name="Rat", player_action="hit", target_ac=1)[0] for _ in range(20)]
    hits = sum("HIT" in each["message"] for each in rounds)
    print("rounds that were fought with", rounds[-1]["current_hp"], "hit points:", len(rounds), "of them hits:", hits)
    walked, _ = play("take_action", action="walk away")
    print("walking away:", walked["success"], "score", walked["new_score"])
    refused = [play("roll_check", stat_name="Luck"), play("manage_economy", action="get_balance")]
    for words, is_error in refused:
        print("refused:", words["error"], "marked as an error:", is_error)
    assert (raised["old_value"], raised["new_value"], raised["change"]) == (10, 20, 50)
    assert swords["current_inventory"] == ["-3x sword"]
    assert (died["new_hp"], died["status"]) == (0, "Unconscious/Dead")
    assert rounds[-1]["current_hp"] == 0 and hits >= 10
    assert (walked["success"], walked["new_score"]) == (True, 10)
    assert not any(is_error for _, is_error in refused)
    program.terminate()
print("the dead go on fighting")
PY
