#!/bin/sh
# affective-longing 0.1.0 with revive-companion 2.0.0 (PyPI, CPython 3.11), feelings for companions: valence from -1 to
# 1, eleven emotions. Each value is kept between 0 and 1, so valence is never below 0: after a hundred fights,
# rejections and days of silence, in a "cold war" with a baseline of -0.5, the companion is neutral or in anticipation.
# Sadness, anger, fear and anxiety, for which valence has to be below -0.5, are felt by nobody, nor is love, which no
# values have. The state that the README calls joy is trust. The package does not import, as it asks revive-companion
# for a module of another name; its feelings alone do.
# Source: the README ("Valence | -1 to +1", "mapped to 11 discrete emotions", "pip install affective-longing" as base)
# and the docstring of EmotionEngine ("EmotionalState(sadness, V=-0.20"); bump and step in relationship/ou_process.py,
# from_vad in emotion/vad.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "affective-longing==0.1.0" "revive-companion==2.0.0" "numpy==2.3.5"
cd "$folder"
venv/bin/python -c 'import affective_longing' 2>&1 | tail -1 | tee seen
venv/bin/python - <<'PY' | tee -a seen
import importlib.util
import sys
import types

package = types.ModuleType("affective_longing")  # without what its __init__ asks for
package.__path__ = importlib.util.find_spec("affective_longing").submodule_search_locations
sys.modules["affective_longing"] = package

from affective_longing.emotion import EmotionEngine
from affective_longing.emotion.vad import Emotion
from affective_longing.relationship import Stage

felt = set()
for seed in range(200):
    companion = EmotionEngine(seed=seed)
    companion.update_relationship_stage(Stage.COLD)
    for day in range(100):
        companion.observe(("fight", "reject", "long_silence")[day % 3])
        felt.add((companion.step_time(24).emotion.value, companion.valence < 0))
print("felt in 200 cold wars of 100 days:", sorted(felt))
steps = [number / 20 for number in range(21)]
reachable = {Emotion.from_vad(v, a, d).value for v in steps for a in steps for d in steps}
print("no values that it can have:", sorted({emotion.value for emotion in Emotion} - reachable))
print("the README's joy:", Emotion.from_vad(0.65, 0.58, 0.55).value)
PY
cat >expected <<'TEXT'
ModuleNotFoundError: No module named 'revive_my_lover'
felt in 200 cold wars of 100 days: [('anticipation', False), ('neutral', False)]
no values that it can have: ['anger', 'anxiety', 'fear', 'love', 'sadness']
the README's joy: trust
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
