"""VV: multi-label Scene images and RCV1 documents (Table 1, Figs. 1 and 2).

``python -m lapwing.reproduce.vv {scene,rcv1} --data DIRECTORY`` writes ``table1_<data>.csv``,
``fig1_<data>.csv`` and ``fig2_<data>.csv`` beside ``expected.csv``, and draws both figures.
"""
