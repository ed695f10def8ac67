"""Summaries of groups."""
