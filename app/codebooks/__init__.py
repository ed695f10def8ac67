"""Codebooks: themes read, changed by people, mapped to answers, and written."""
