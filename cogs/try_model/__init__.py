"""The command ``try-model``: how well a language model learns, on thirty short conversations."""
