"""Vector-valued manifold regularization (VV): several related outputs are learned together."""

from typing import Any

from ..parameters.arguments import with_parameters
from .classifier import Classifier
from .parameters import ClassParameters, EquationParameters, SolverParameters
from .recipes import VectorRecipe
from .regressor import Regressor


class VectorParameters:
    """Several related outputs that are learned together.

    Parameters
    ----------
    output_kernel : None, array of shape (q, q), OutputGraph, Structure or "auto", default="auto"
        The matrix Q of the matrix-valued kernel k·Q. It says how similar two outputs are. None is
        the identity, so the outputs are independent. Give a symmetric PSD matrix, or a
        :class:`lapwing.outputs.OutputGraph`, which means γ_O L_out^† + (1 − γ_O) I. An output
        structure such as ``Tree(parents)`` gives its kernel, with one output per column. "auto" is
        None, or an OutputGraph if leave-one-out favors it. If ``kernel`` is a list of kernels k_r,
        give a list of as many output kernels Q_r: K = Σ_r k_r Q_r. With ``kernel=JointKernel(f)``,
        which is any matrix-valued kernel K(x, z), this stays None.
    output_regularizer : None or array of shape (q, q), default=None
        The symmetric PSD matrix M_out of the penalty ⟨f, (M ⊗ M_out) f⟩. None is the identity. If
        ``regularizer`` is a matrix of order n·q, it is M over the pairs (row, output), row-major.
    fit_intercept : bool or "auto", default="auto"
        True adds a constant b_j for each output to the prediction in the loss. No penalty applies
        to it.

        For classes, "auto" is chosen as in :class:`lapwing.LapRLSClassifier`. For several outputs,
        the search begins at the rule: kernel="rbf", regularizer="laplacian", an intercept, and
        output_kernel None. It takes other settings only if leave-one-out of whole rows clearly
        favors them.
    space : {"auto", "exact", "blockwise", "linear", "landmarks", "graph"} or rule, default="auto"
        The set of functions in which the scalar functions are searched
        (:func:`lapwing.spaces.choose_space`). A list of kernels needs "exact" or "blockwise". With
        one kernel, "auto" is chosen as in :class:`lapwing.LapRLSClassifier`: values on the graph if
        ``regularizer`` and ``gamma_A`` are "auto".

    Attributes
    ----------
    output_kernel_ : array of shape (q, q)
        The matrix Q, built.
    """

    loss: Any = "squared"
    output_kernel: Any = "auto"
    output_regularizer: Any = None


@with_parameters(EquationParameters, SolverParameters, VectorParameters)
class VectorValuedRegressor(Regressor):
    """Regression of several related targets, from few labeled rows and many unlabeled ones.

    It minimizes, over f: X → R^q in the space of the matrix-valued kernel k(x, z)·Q,

        (1/l) Σ_observed V(y_ij, f_j(x_i) + b_j) + γ_A ‖f‖² + (γ_I/n²) ⟨f, (M ⊗ I) f⟩.

    l is the number of rows with at least one observed target. Each single target of a row may be
    NaN. The squared loss has a closed form (a Sylvester equation). At Q = I the model is LapRLS.

    Parameters
    ----------
    loss : str or Loss, default="squared"
        The loss V: ``"squared"``, ``"huber"``, ``"epsilon_insensitive"``, or any
        :class:`lapwing.losses.Loss`.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Minh, Sindhwani 2011, *Vector-valued Manifold Regularization*, ICML, eqs. 11–17.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import VectorValuedRegressor
    >>> from lapwing.outputs import OutputGraph
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> truth = np.column_stack([np.sin(X[:, 0]), np.sin(X[:, 0]) + 0.1, np.cos(X[:, 0])])
    >>> Y = np.full((60, 3), np.nan)
    >>> Y[::6] = truth[::6]
    >>> Y[0, 1] = np.nan                     # a single missing entry
    >>> outputs = OutputGraph(gamma_O=0.5, n_neighbors=1)
    >>> model = VectorValuedRegressor(output_kernel=outputs, gamma_I=0.1)
    >>> bool(np.abs(model.fit(X, Y).transduction_ - truth).max() < 0.1)
    True
    """

    recipe = VectorRecipe()


@with_parameters(EquationParameters, SolverParameters, VectorParameters, ClassParameters)
class VectorValuedClassifier(Classifier):
    """Classification with several labels per row, from few labeled rows and many unlabeled ones.

    It minimizes, over f: X → R^q in the space of the matrix-valued kernel k(x, z)·Q,

        (1/l) Σ_observed V(y_ij, f_j(x_i) + b_j) + γ_A ‖f‖² + (γ_I/n²) ⟨f, (M ⊗ I) f⟩.

    y_ij = ±1 says whether label j applies to row i. l is the number of rows with at least one
    observed entry. Labels that are neighbors in the output graph get similar functions. A
    one-dimensional y holds classes, which are learned one against the rest.

    Parameters
    ----------
    loss : str or Loss, default="squared"
        The loss V: ``"squared"``, ``"hinge"``, ``"squared_hinge"``, ``"logistic"``, or any
        :class:`lapwing.losses.Loss`.
    probability : bool, "sigmoid" or "isotonic", default=True
        The method by which ``predict_proba`` calibrates the leave-one-out scores, label by label.
        True is "sigmoid". With False there is no ``predict_proba``. Classes share one temperature
        instead.
    {parameters}

    Attributes
    ----------
    {attributes}

    References
    ----------
    Minh, Sindhwani 2011, *Vector-valued Manifold Regularization*, ICML, eqs. 11–17.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from lapwing import VectorValuedClassifier
    >>> from lapwing.metrics import macro_auc
    >>> from lapwing.outputs import OutputGraph
    >>> X, truth = make_multilabel_classification(300, random_state=0)
    >>> Y = truth.astype(float)
    >>> Y[60:] = np.nan                      # 60 labeled rows
    >>> outputs = OutputGraph(gamma_O=0.9, n_neighbors=2)
    >>> model = VectorValuedClassifier(output_kernel=outputs).fit(X, Y)
    >>> bool(macro_auc(truth[60:], model.decision_function(X)[60:]) > 0.75)
    True
    """

    recipe = VectorRecipe()
    several_labels = True
    probability: Any = True
