"""Models as files, :func:`save` and :func:`load`; files that are written whole or not at all."""

from .atomic import written_beside
from .models import FORMAT, Header, ModelFileError, load, read_header, save

__all__ = ["FORMAT", "Header", "ModelFileError", "load", "read_header", "save", "written_beside"]
