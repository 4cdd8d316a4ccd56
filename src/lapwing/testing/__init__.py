"""Public contract checks for the parts of the equation."""
