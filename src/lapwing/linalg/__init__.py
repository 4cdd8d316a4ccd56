"""Numerics beneath the learning: points, pairs, factors and systems. Nothing here knows a loss.

====================  =====================================================================
points and pairs      ``points`` (dense or CSR rows), ``pairwise`` (products and distances,
                      right to rounding), ``tiles`` and ``blocks`` (how they are walked over)
checks                ``arguments``, ``numbers``, ``psd``, ``memory``
threads               ``threads``, ``sparse`` (sparse times dense)
factors               ``factor`` (LU), ``cholesky``, ``eigenpairs``, ``tridiagonal``,
                      ``simultaneous``
systems               ``gram_system``, ``normal_system``, ``pencil``, ``symmetric_sylvester``,
                      ``resolvents/``
programs              ``interior_point`` (quadratic, over boxes and simplices), ``simplex_qp``
====================  =====================================================================
"""
