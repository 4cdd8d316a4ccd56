"""The version of the library, where every part can read it."""

__version__ = "0.1.0"
