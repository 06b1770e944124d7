#!/bin/sh
# markmem 0.4.4 with git-filter-repo 2.47.0 (PyPI, CPython 3.11), a memory for chatbots as Markdown in git, with "provable"
# erasure. forget(user, mode="rewrite") takes the person's two folders out of all history, and leaves index.md in it, which
# repeats the first 200 characters of each message: every older commit still has the words, with the person's id. Without a
# model, a new fact ends each that has the same last word: "I like running in the morning" ends "I like tea in the morning",
# "My dog is sick" ends "My dog is Rex", and from then on search(format="context") tells the newer alone. "I don't
# work for Acme any more" is no fact, so Acme stays the employer.
# Source: the README ("provable, path-scoped deletes and rewrites the git history"; "same subject + different value");
# forget_user in storage/erasure.py and _head_noun in write/extractors/heuristic.py of the wheel. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "markmem==0.4.4" "git-filter-repo==2.47.0"
cd "$folder"
export HOME="$folder" GIT_CONFIG_NOSYSTEM=1 PATH="$folder/venv/bin:$PATH"
for who in AUTHOR COMMITTER; do export "GIT_${who}_NAME=club" "GIT_${who}_EMAIL=club@example.org"; done
python - <<'PY'
import subprocess

from markmem import Memory

LIVES = "I live in Leeds, behind the maple tree."


def kept(name, *messages):
    """Return the facts that still count after a person has said these messages."""
    memory = Memory(repo_path=name)
    for message in messages:
        memory.add(message, user_id="anna")
        memory.flush()
    claims = memory.get("u/anna/user/profile")["claims"]
    return [claim["text"] for claim in claims if not claim.get("valid_until")]


seen = {
    "mornings": kept("mornings", "I like tea in the morning", "I like running in the morning"),
    "dog": kept("dog", "My dog is Rex", "My dog is sick"),
    "job": kept("job", "I work for Acme", "I don't work for Acme any more"),
}
for name, facts in seen.items():
    print(f"{name}: {facts}")
memory = Memory(repo_path="memory")
for user, message in (("anna", LIVES), ("ben", "I like tea")):
    memory.add(message, user_id=user)
    memory.flush()
erased = memory.forget("anna", mode="rewrite")
print("forget:", erased["mode"], erased["commit"], erased["pages_erased"], "pages")
log = ["git", "log", "--all", "--format=", "--name-only", "-S", "maple"]
files = subprocess.run(log, cwd="memory", capture_output=True, text=True, check=True).stdout
show = ["git", "show", "HEAD~1:index.md"]
index = subprocess.run(show, cwd="memory", capture_output=True, text=True, check=True).stdout
print("files of the history that have the words:", sorted(set(files.split())))
print(next(line for line in index.splitlines() if "maple" in line))
expected = {
    "mornings": ["I like running in the morning"],
    "dog": ["My dog is sick"],
    "job": ["I work for Acme"],
}
if seen != expected or set(files.split()) != {"index.md"} or LIVES not in index:
    raise SystemExit("the behaviour has changed")
PY
