"""Tests of ``pipelines.readers.text``."""
