"""Where in the plane of two penalties a method beats its reference."""

import numpy as np

from lapwing.inspection.display import Display


class RelativeGainDisplay(Display):
    """Errors relative to a reference over (λ_s, λ_m): ringed and red below 1 (better), blue above.

    Parameters
    ----------
    lambda_s, lambda_m : array of shape (k,)
        Positive.
    relative : array of shape (k,)
        Error divided by the reference's.
    name : str

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure
    points_ : PathCollection
    colorbar_ : Colorbar

    References
    ----------
    MT §IV.C, Figs. 1–4.

    Examples
    --------
    >>> from lapwing_papers.inspection import RelativeGainDisplay
    >>> display = RelativeGainDisplay(lambda_s=[1e-3, 1], lambda_m=[1, 1e-3], relative=[0.9, 1.1])
    >>> display.plot().ax_.get_xscale()
    'log'
    """

    def __init__(self, *, lambda_s, lambda_m, relative, name=""):
        self.lambda_s = lambda_s
        self.lambda_m = lambda_m
        self.relative = relative
        self.name = name

    @classmethod
    def from_search(cls, search, *, name=""):
        """The draws of a fitted :class:`~lapwing_papers.model_selection.LocalLSMRSearch`.

        Parameters
        ----------
        search : LocalLSMRSearch
        name : str
        """
        model, params = search.best_estimator_, search.cv_results_["params"]
        n, l = len(model.labeled_), int(model.labeled_.sum())
        return cls(
            lambda_s=np.array([p["gamma_I"] for p in params]) * l / n**2,
            lambda_m=np.array([p["gamma_M"] for p in params]) * l,
            relative=search.cv_results_["mean_test_score"] / search.reference_score_,
            name=name,
        )

    def plot(self, ax=None, *, title=None, limit=None):
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, optional
            None makes a new figure.
        title : str, optional
        limit : float, optional
            The colors run from 1/limit to limit; None is the largest gain or loss, at most 2.

        Returns
        -------
        self
        """
        ax = self._on(ax)
        change = np.log2(np.asarray(self.relative, dtype=float))
        if limit is None:
            reach = float(np.clip(np.abs(change).max(), 0.01, 1.0))
        else:
            reach = float(np.log2(limit))
        self.points_ = ax.scatter(
            self.lambda_s,
            self.lambda_m,
            c=change,
            cmap="RdBu",
            vmin=-reach,
            vmax=reach,
            s=70,
            edgecolors=np.where(change < 0, "black", "0.6"),
            linewidths=np.where(change < 0, 2.0, 0.5),
        )
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("λ_s (between rows)")
        ax.set_ylabel("λ_m (between targets)")
        self.colorbar_ = self.figure_.colorbar(self.points_, ax=ax)
        self.colorbar_.set_label("log₂ of the error relative to the reference")
        ax.set_title(self.name or "Relative gain" if title is None else title)
        return self
