"""The papers' tables on real data: ``python -m lapwing.reproduce.<paper>.<table> --data DIR``."""
