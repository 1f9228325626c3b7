"""Agents for the loops of learned algorithms: trained here, and judged over traces that they have not seen (docs/training.md).

Training needs the extra ``paceline[train]``; the plans, the judge and the files do not.
"""

from .judge import Verdict, judge
from .plan import Plan, plan_names, plan_of

__all__ = ["Plan", "Verdict", "judge", "plan_names", "plan_of"]
