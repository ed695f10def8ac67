"""Summaries of groups of texts, and the quotes that stand for them: sentences verbatim, with places.

``summarise_group`` is in ``pipelines.summaries.group``; importing this package loads no model.
"""

from pipelines.summaries.consent import refuses_publication
from pipelines.summaries.personal import personal
from pipelines.summaries.types import Chosen, GroupSummary, Kind, Length, Said

__all__ = ["Chosen", "GroupSummary", "Kind", "Length", "Said", "personal", "refuses_publication"]
