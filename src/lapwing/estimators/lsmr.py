"""SSSL ⊂ LapS3L ⊂ LSMR: semi-supervised regression of many targets (MT)."""

from typing import Any

from ..parameters.arguments import with_parameters
from .documentation import document
from .lsmr_documentation import ATTRIBUTES, COMPONENTS, INTRINSIC, KERNEL, LABELS, REST
from .parameters import SOLVER
from .recipes import EigenRecipe
from .regressor import Regressor

EIGEN: dict[str, Any] = {
    "kernel": "auto",
    "n_components": "auto",
    "feature_map": "KU",
    "fit_intercept": True,
    "rank_tol": 1e-11,
}


class EigenRegressor(Regressor):
    """Least squares in the leading eigenvectors of the kernel; abstract."""

    recipe = EigenRecipe()
    loss = "squared"
    space = "auto"  # the eigenvectors are the space


@document(KERNEL + COMPONENTS + REST, ATTRIBUTES)
@with_parameters(SOLVER, EIGEN)
class SSSLRegressor(EigenRegressor):
    """SSSL: least squares in the s leading eigenvectors of the kernel over all rows.

    Minimizes (1/l)‖X_l W − Y_l‖²_F over W of shape (s, t), with the features X = KU of labeled
    and unlabeled rows together and X_l those of the labeled ones. Where s exceeds the labeled
    rows or the rank of K, the minimizer of least norm is taken.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Ji, Yang, Lin, Jin, Han 2012, *A Simple Algorithm for Semi-supervised Learning with Improved
    Generalization Error Bound*; MT §II.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import SSSLRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full((60, 2), np.nan)
    >>> y[::6] = np.column_stack([np.sin(X[::6, 0]), np.cos(X[::6, 0])])
    >>> model = SSSLRegressor(n_components=6).fit(X, y)
    >>> model.predict(X[:3]).shape
    (3, 2)
    """


@document(KERNEL + COMPONENTS + INTRINSIC + REST, ATTRIBUTES)
@with_parameters(SOLVER, EIGEN)
class LapS3LRegressor(EigenRegressor):
    """LapS3L: SSSL whose predictions are smooth along a graph of all rows.

    Minimizes (1/l)‖X_l W − Y_l‖²_F + (γ_I/n²) tr(Wᵀ Xᵀ M X W). At ``gamma_I=0`` it is
    :class:`SSSLRegressor`.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Kraus, Benkabou, Benabdeslem, Cherqui 2018, *An Improved Laplacian Semi-supervised
    Regression*; MT §II.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LapS3LRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full(60, np.nan)
    >>> y[::6] = np.sin(X[::6, 0])
    >>> model = LapS3LRegressor(n_components=8).fit(X, y)
    >>> bool(np.abs(model.transduction_ - np.sin(X[:, 0])).max() < 0.2)
    True
    """

    regularizer: Any = "auto"
    gamma_I: Any = "auto"


@document(KERNEL + COMPONENTS + INTRINSIC + LABELS + REST, ATTRIBUTES)
@with_parameters(SOLVER, EIGEN)
class LSMRRegressor(EigenRegressor):
    """LSMR: LapS3L whose models of related targets are alike.

    Minimizes, over W of shape (s, t),

        (1/l)‖X_l W − Y_l‖²_F + (γ_I/n²) tr(Wᵀ Xᵀ M X W) + γ_M tr(W L_m Wᵀ),

    which is the paper's eq. 2 divided by l at λ_s = l γ_I/n² and λ_m = l γ_M. The minimizer
    solves a symmetric Sylvester equation, exactly and fast. At ``gamma_M=0`` it is
    :class:`LapS3LRegressor`, at ``gamma_I=gamma_M=0`` :class:`SSSLRegressor`.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Kraus, Benabdeslem, Canitia, *Laplacian-based Semi-supervised Multi-Label Regression*, eqs.
    2–8 and Algorithm 1. Its eqs. 4 and 5 equal twice the traces of eq. 3, which are meant.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import LSMRRegressor
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.full((60, 2), np.nan)
    >>> y[::6] = np.column_stack([np.sin(X[::6, 0]), np.sin(X[::6, 0]) + 1.0])
    >>> y[0, 1] = np.nan                      # single entries may be missing too
    >>> model = LSMRRegressor(n_components=8).fit(X, y)
    >>> bool(np.abs(model.transduction_[:, 0] - np.sin(X[:, 0])).max() < 0.2)
    True
    """

    regularizer: Any = "auto"
    gamma_I: Any = "auto"
    gamma_M: Any = "auto"
    label_graph: Any = "correlation"
