"""Tests of ``pipelines.readers.containers``."""
