"""The same estimators on Dask arrays, with dense or CSR chunks.

    model = fit(LapRLSClassifier(), X, y)      # X a Dask array, y in memory
    answers = predict(model, X_new)            # a Dask array

Each block of rows searches its neighbors in every other block, and the results are merged. The
statistics of the function for new rows are sums over blocks. Predictions are made block by block.
A task needs at most two blocks. Sparse matrices and vectors (the graph, the values at the
rows) stay in the calling process. A fitted model is an ordinary estimator that also predicts on
arrays. Needs ``pip install "lapwing-learn[dask]"``.
"""

from .fit import fit, predict

__all__ = ["fit", "predict"]
