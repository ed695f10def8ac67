"""Campaign letters: exact and near copies grouped, their shared text, and each sender's own words."""

from pipelines.campaigns.find import find_campaigns
from pipelines.campaigns.method import method_text
from pipelines.campaigns.types import Answer, Campaign, Member

__all__ = ["Answer", "Campaign", "Member", "find_campaigns", "method_text"]
