"""MV: web pages seen through their words and their links, digits through six sets of features.

``python -m lapwing.reproduce.mv {webkb,mfeat} --data DIRECTORY [--draws N]`` writes
``results_<data>.csv`` beside ``expected.csv``. The paper prints no numbers; its claim is that
co-regularised views, each with its own manifold, beat one view's manifold regularisation.
"""
