"""The services of providers' lists, one file for each subject."""

from commerce.statements.services.compare import compare_statements
from commerce.statements.services.fetch import begin_statements, fetch_again, fetch_statements
from commerce.statements.services.tick_off import tick_off

__all__ = ["begin_statements", "compare_statements", "fetch_again", "fetch_statements", "tick_off"]
