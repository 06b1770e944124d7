"""Split conversations into episodes, and summarise them."""
