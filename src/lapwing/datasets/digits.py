"""Handwritten digits, bundled with scikit-learn."""

from sklearn import datasets

from ..types import RandomState
from .labels import keep_labels


def load_digits(*, labels_per_class: int = 5, random_state: RandomState = None):
    """The 1,797 digits of scikit-learn, images of 8 × 8 pixels, with few labels.

    Parameters
    ----------
    labels_per_class : int, default=5
        The number of labels of each digit in y.
    random_state : int, RandomState or None
        The seed that draws the labels.

    Returns
    -------
    X : array of shape (1797, 64)
    y : integer array of shape (1797,)
        ``labels_per_class`` labels of each digit, −1 elsewhere.
    truth : integer array of shape (1797,)

    Examples
    --------
    >>> X, y, truth = load_digits(random_state=0)
    >>> int((y != -1).sum())
    50
    """
    X, truth = datasets.load_digits(return_X_y=True)
    return X, keep_labels(truth, labels_per_class, random_state), truth
