"""The papers' experiments, their numbers beside ours."""
