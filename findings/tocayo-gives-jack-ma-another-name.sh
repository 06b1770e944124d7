#!/bin/sh
# tocayo 0.1.0a1 (PyPI, CPython 3.11), which writes names in one form, so that the same person can be found again. It writes
# out the abbreviations of Mexican forms wherever a name has such a word. So Jack Ma and Yo-Yo Ma are called María, a
# middle initial M. is María for Juan M. Díaz too, and J. is José: "J. Díaz" is José Díaz and nobody else, though the
# initial is Javier's, and M. Díaz is María and not Mateo. What was an initial is not said afterwards, so that two people
# have one name and one person has two.
# Source: its README ("José Luis Hernández García puede aparecer como J.L. Hernández", "abreviaturas de captura
# (Ma. → MARÍA, Hdz → HERNÁNDEZ)"); _ABREVIATURAS and expandir_abreviaturas in tocayo/normalizacion.py of the wheel, which
# has "M." and "J." beside "MA". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "tocayo==0.1.0a1"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from tocayo import normalizar

for name in ("Jack Ma", "Yo-Yo Ma", "Juan M. Díaz", "Ana J. Ruiz", "J.L. Hernández"):
    print(f"{name}: {normalizar(name)}")
for initial, names in (("J. Díaz", ("José Díaz", "Javier Díaz")), ("M. Díaz", ("María Díaz", "Mateo Díaz"))):
    print(f"{initial} is", [name for name in names if normalizar(name) == normalizar(initial)])
PY
cat >expected <<'TEXT'
Jack Ma: JACK MARIA
Yo-Yo Ma: YO YO MARIA
Juan M. Díaz: JUAN MARIA DIAZ
Ana J. Ruiz: ANA JOSE RUIZ
J.L. Hernández: J L HERNANDEZ
J. Díaz is ['José Díaz']
M. Díaz is ['María Díaz']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
