"""Numerics: points, pairs, factors and systems. No module here knows a loss.

====================  =====================================================================
points and pairs      ``points`` (dense or CSR rows), ``pairwise`` (products and distances,
                      correct to rounding), ``tiles`` and ``blocks`` (loops over them)
checks                ``psd``, ``memory``
products              ``blas`` (the library that also factors), ``panels`` (few columns),
                      ``sparse`` (times dense), ``chebyshev`` (polynomials), ``threads``
factors               ``factor`` (LU), ``cholesky``, ``eigenpairs``, ``tridiagonal``,
                      ``simultaneous``; ``refinement`` and ``woodbury`` for all
systems               ``exact/`` (one γ and a full K), ``pencil`` and ``eigen_pencil`` (many γ),
                      ``quadratic_form`` (the G of all systems),
                      ``conjugate_gradients`` and ``two_level`` (without a factor),
                      ``smooth_modes`` and ``graph_factor`` (polynomials of a graph's L),
                      ``labeled`` (at the labeled rows), ``resolvents/``
programs              ``interior_point`` (quadratic, over boxes and simplices), ``simplex_qp``
====================  =====================================================================
"""
