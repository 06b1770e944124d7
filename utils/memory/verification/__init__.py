"""Check and verify candidates: may the sentence be kept, and does the note follow from it?"""
