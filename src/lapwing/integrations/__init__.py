"""Data types of other packages: :mod:`lapwing.integrations.anndata` for single cells."""
