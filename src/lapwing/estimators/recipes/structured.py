"""Structured outputs with the joint kernel K^X ⊗ K^Y (SO)."""

from dataclasses import replace

from ...losses import StructuredHinge
from ...outputs import Structure
from ...parameters.checks import check_option
from ...regularizers.joint import matrix_order
from ...spaces import CoregionalizedOutputs
from .base import Functions, Recipe
from .joint import check_joint, is_joint, joint_functions


class StructuredRecipe(Recipe):
    """F(x) with f(x, y) = ⟨λ(y), F(x)⟩ for every output y of a structure; no intercept."""

    def check(self, p):
        if p.output is not None and not isinstance(p.output, Structure):
            raise TypeError(
                f"output={p.output!r} must be an output structure such as Flat(), Ring(10), "
                "Tree(parents) or OutputStructure(kernel, loss), or None."
            )
        check_option("rescaling", p.rescaling, ("slack", "margin"))
        check_joint(p)
        if p.solver in ("direct", "cg", "newton", "dual", "agd", "early_stopping"):
            raise ValueError(
                f"solver={p.solver!r} does not take the structured hinge: give 'auto', "
                "'n-slack' or '1-slack'."
            )

    def loss(self, p, targets):
        return StructuredHinge(targets.coding.outputs, p.rescaling)

    def functions(self, p, data):
        points, outputs = data.points, data.targets.coding.outputs
        if is_joint(p.kernel):
            return joint_functions(p, points, outputs.n_features)
        kernel = points.kernel(p.kernel, p.random_state)
        points.say(f"functions over {points.n} points")
        space = points.space(p, kernel, data.targets)
        if outputs.directions is not None:
            space = points.shelf.once(
                lambda: CoregionalizedOutputs(space, *outputs.directions),
                "outputs", space, p.output, outputs.classes.tolist(),
            )  # fmt: skip
        return Functions(
            space, lambda: points.mean_square(kernel) * outputs.mean_square, {"kernel_": kernel}
        )

    def operator(self, p, data, functions):
        outputs = data.targets.coding.outputs
        return data.points.operator(
            p, functions.fitted["kernel_"], data.targets, outputs.n_features, outputs.affinity
        )

    def choices(self, p, data):
        """The judge is Δ of the outputs decoded without each label, and the error of λ(y)."""
        outputs, joint = data.targets.coding.outputs, is_joint(p.given("kernel"))
        rows = matrix_order(p.given("regularizer")) in (None, data.points.n)
        return replace(
            super().choices(p, data),
            axes=("gamma_I", "gamma_A", *(() if joint else ("kernel",))),
            on_rows=outputs.affinity is None and rows and not joint,
            outputs=outputs,
        )

    def fitted(self, p, data, compiled, solution):
        problem, coding = compiled.problem, data.targets.coding
        found = getattr(solution, "working_set", None)
        support = {"support_": None, "support_outputs_": None, "dual_coef_": None}
        if found is not None and found.multiplier is not None:
            binds = found.multiplier > 1e-9 * problem.w.max()
            support = {
                "support_": problem.rows[found.row[binds]],
                "support_outputs_": coding.written.write(found.output[binds]),
                "dual_coef_": found.multiplier[binds],
            }
        return {"outputs_": coding.outputs, "coef_": solution.coef, **support}
