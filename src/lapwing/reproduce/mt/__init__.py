"""MT Tables II–IV and Figs. 1–6: ``python -m lapwing.reproduce.mt --data DIRECTORY``."""
