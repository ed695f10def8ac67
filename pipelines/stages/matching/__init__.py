"""What stands behind a match: abbreviations of the text, ambiguous labels, meaning."""
