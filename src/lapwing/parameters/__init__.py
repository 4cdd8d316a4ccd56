"""Declare, store, check and name parameters. There is no mathematics in this package."""
