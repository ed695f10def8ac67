"""Tests of ``pipelines.readers.pages``."""
