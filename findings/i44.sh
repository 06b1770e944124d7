#!/bin/sh
# sharp 0.35.5 (libvips 8.18.7, npm) on Node.js 20; Pillow 13.0.0 (PyPI) reads what it wrote.
# A kept iTXt of a PNG (international text, UTF-8) is written as zTXt with the same bytes. The PNG
# specification reads zTXt as Latin-1 (section 11.3.3.3), so "Käse" is "KÃ¤se" for other readers,
# and the language is lost. Texts in ASCII, such as base64, survive. Source: keepMetadata() in
# sharp's documentation says that metadata is kept; libvips writes texts in vips_foreign_save_spng.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund sharp@0.35.5 >>npm.log 2>&1
python3 -m venv venv
venv/bin/pip install --quiet pillow==13.0.0 2>pip.log

cat >write.py <<'PYTHON'
from PIL import Image
from PIL.PngImagePlugin import PngInfo

texts = PngInfo()
texts.add_itxt("Comment", "Käse", lang="de")
texts.add_itxt("chara", "eyJuYW1lIjoiTWFyYSJ9")
Image.new("RGB", (8, 8)).save("written.png", pnginfo=texts)
PYTHON
cat >read.py <<'PYTHON'
from PIL import Image

for name in ("written.png", "kept.png"):
    data = open(name, "rb").read()
    kinds = [kind for kind in ("tEXt", "zTXt", "iTXt") if kind.encode() in data]
    texts = {key: str(text) for key, text in sorted(Image.open(name).text.items())}
    print(name, *kinds, ascii(texts))
PYTHON
venv/bin/python write.py
node -e 'require("sharp")("written.png").keepMetadata().png().toFile("kept.png")'
venv/bin/python read.py | tee seen.txt
cat >expected.txt <<'TEXT'
written.png iTXt {'Comment': 'K\xe4se', 'chara': 'eyJuYW1lIjoiTWFyYSJ9'}
kept.png zTXt {'Comment': 'K\xc3\xa4se', 'chara': 'eyJuYW1lIjoiTWFyYSJ9'}
TEXT
diff expected.txt seen.txt
