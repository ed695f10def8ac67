"""Tests of ``pipelines.readers.tables.table``."""
