"""SO: structured outputs on newsgroups (Tables III, IV) and teapots (Tables I, II).

``python -m lapwing.reproduce.so newsgroups --data DIRECTORY`` writes ``results_newsgroups.csv``
beside ``expected.csv``; ``teapots`` likewise.
"""
