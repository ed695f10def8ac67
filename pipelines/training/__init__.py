"""Training-time scripts: build the corpus and distil the embedded ALBERT. Never run by users."""
