"""Choosing kernel, regularizer and γ's from the labelled rows."""

from .leave_one_out import held_out, log_evidence, refitted, squared_held_out
from .spectrum import Spectrum

__all__ = ["Spectrum", "held_out", "log_evidence", "refitted", "squared_held_out"]
