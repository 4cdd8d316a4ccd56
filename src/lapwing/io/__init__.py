"""Save models to files and load them: :func:`save` and :func:`load`."""

from .atomic import written_beside
from .models import FORMAT, Header, ModelFileError, load, read_header, save

__all__ = ["FORMAT", "Header", "ModelFileError", "load", "read_header", "save", "written_beside"]
