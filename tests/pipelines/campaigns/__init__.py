"""Campaign letters."""
