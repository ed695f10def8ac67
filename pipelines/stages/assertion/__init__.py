"""Assertion: whether the text affirms a tag, of whom, and when.

Rules of cue words with a direction and a scope, after NegEx (Chapman et al., J. Biomed. Inform.
34:301, 2001) and ConText (Harkema et al., J. Biomed. Inform. 42:839, 2009). The words and every
limit are data: the TOML files beside this module, and a file of the user's own.
"""

from pipelines.stages.assertion.assess import assert_tags
from pipelines.stages.assertion.cue import ATTRIBUTES
from pipelines.stages.assertion.rules import Rules, bundled_rules, load_rules

__all__ = ["ATTRIBUTES", "Rules", "assert_tags", "bundled_rules", "load_rules"]
