"""The same estimators on Dask arrays, dense or with CSR chunks: sums over blocks of rows.

    model = fit(LapRLSClassifier(), X, y)      # X a Dask array, y in memory
    answers = predict(model, X_new)            # a Dask array

Neighbors are searched block against block and merged, the ambient view's statistics are summed
over blocks, predictions are made block by block: no worker holds more than two blocks. What is
sparse or a vector (the graph, the values on the points) lives with the caller. A fitted model is
an ordinary estimator that predicts on arrays, too. Needs ``pip install "lapwing-learn[dask]"``;
importing lapwing does not import Dask.
"""

from .fit import fit, predict

__all__ = ["fit", "predict"]
