"""Numerics beneath the learning: points, pairs, factors and systems. Nothing here knows a loss.

====================  =====================================================================
points and pairs      ``points`` (dense or CSR rows), ``pairwise`` (products and distances,
                      right to rounding), ``tiles`` and ``blocks`` (how they are walked over)
checks                ``psd``, ``memory``
products              ``blas`` (by the library that factors), ``panels`` (few columns),
                      ``sparse`` (times dense), ``chebyshev`` (polynomials), ``threads``
factors               ``factor`` (LU), ``cholesky``, ``eigenpairs``, ``tridiagonal``,
                      ``simultaneous``; ``refinement`` and ``woodbury`` for all
systems               ``exact/`` (one γ and a full K), ``pencil`` and ``eigen_pencil`` (many γ),
                      ``quadratic_form`` (the G of all of them),
                      ``conjugate_gradients`` and ``two_level`` (applied, not factored),
                      ``smooth_modes`` and ``graph_factor`` (polynomials of a graph's L),
                      ``labeled`` (at the labels), ``resolvents/``
programs              ``interior_point`` (quadratic, over boxes and simplices), ``simplex_qp``
====================  =====================================================================
"""
