"""Candidate terms: what a collection speaks of and no concept covers, ranked by C-value."""

from __future__ import annotations

from pipelines.candidates.counting import Counts, Place, Texts, count
from pipelines.candidates.ranking import Candidate, c_values, rank

__all__ = ["Candidate", "Counts", "Place", "Texts", "c_values", "count", "rank"]
