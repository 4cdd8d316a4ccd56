"""Which targets were observed: residuals of the others are zero."""

import numpy as np


class ObservedMask:
    """R ↦ R at the observed entries, less its mean over them: each target has its own intercept.

    An orthogonal projection, so that (1/2l)‖seen(Y − XW)‖² has the gradient −Xᵀseen(Y − XW)/l.

    Parameters
    ----------
    mask : boolean array of shape (l, t)
    centered : bool
        Whether there is an intercept.

    Examples
    --------
    >>> mask = np.array([[True, True], [True, False]])
    >>> ObservedMask(mask, centered=True)(np.array([[1.0, 5.0], [3.0, 7.0]]))
    array([[-1.,  0.],
           [ 1.,  0.]])
    """

    def __init__(self, mask: np.ndarray, centered: bool):
        self.mask = mask
        self.counts = np.maximum(mask.sum(axis=0), 1)
        self.centered = centered

    def __call__(self, R: np.ndarray) -> np.ndarray:
        R = np.where(self.mask, R, 0.0)
        if self.centered:
            R -= self.mask * self.means(R)
        return R

    def means(self, R: np.ndarray) -> np.ndarray:
        """Of each column over its observed entries, (t,)."""
        return np.where(self.mask, R, 0.0).sum(axis=0) / self.counts

    @property
    def whole(self) -> bool:
        """Whether every entry was observed."""
        return bool(self.mask.all())
