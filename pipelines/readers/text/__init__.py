"""Text files: encodings, delimited tables, JSON records, plain and aligned texts."""
