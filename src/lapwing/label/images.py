"""Images: where they may lie, what a model sees of them, and a small PNG of an array."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..tables.extras import need

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
_MEDIA = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp",
          ".bmp": "bmp"}  # fmt: skip

SIDE, CELLS, DIRECTIONS, COLORS = 32, 4, 8, 8
"""An image is read at 32 × 32: gradients of 8 directions in 4 × 4 cells, and 8 × 8 colors."""


def inside(folder: Path, name: str) -> Path:
    """The file of that name in the folder; a ValueError if it lies elsewhere.

    Links are followed first, so one that leads out of the folder is refused too.

    Examples
    --------
    >>> inside(Path("/tmp"), "../etc/passwd")
    Traceback (most recent call last):
    ...
    ValueError: ../etc/passwd lies outside the data folder.
    """
    folder = folder.resolve()
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        raise ValueError(f"{name} lies outside the data folder.")
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{name} is not an image ({', '.join(SUFFIXES)}).")
    return path


def media_type(name: str) -> str:
    """The media type by a file's ending."""
    return f"image/{_MEDIA[Path(name).suffix.lower()]}"


def image_features(folder: Path, files: Sequence[str | None]) -> tuple[np.ndarray, int]:
    """Gradients and colors of each image, (n, 320), and how many could not be read.

    Gradients and colors are two blocks of total variance 1. Better numbers from a network of your
    own can be given with ``--vector``.
    """
    gradients = np.zeros((len(files), CELLS * CELLS * DIRECTIONS))
    colors = np.zeros((len(files), COLORS * COLORS * 3))
    missing = 0
    for i, name in enumerate(files):
        pixels = None if name is None else _pixels(folder, name)
        if pixels is None:
            missing += 1
            continue
        gradients[i] = _gradients(pixels.mean(axis=2))
        step = SIDE // COLORS
        cells = pixels.reshape(COLORS, step, COLORS, step, 3).mean(axis=(1, 3))
        colors[i] = cells.ravel()
    return np.hstack([_scaled(gradients), _scaled(colors)]), missing


def _pixels(folder: Path, name: str) -> np.ndarray | None:
    pillow = need("PIL.Image", "Reading images")
    try:
        with pillow.open(inside(folder, name)) as image:
            small = image.convert("RGB").resize((SIDE, SIDE))
            return np.asarray(small, dtype=float) / 255
    except (OSError, ValueError, pillow.DecompressionBombError):
        return None


def _gradients(gray: np.ndarray) -> np.ndarray:
    """How much edge of each direction lies in each cell, scaled to norm 1."""
    dy, dx = np.gradient(gray)
    size = np.hypot(dx, dy)
    direction = (np.arctan2(dy, dx) % np.pi / np.pi * DIRECTIONS).astype(int) % DIRECTIONS
    cell = np.arange(SIDE) * CELLS // SIDE
    place = (cell[:, None] * CELLS + cell[None, :]) * DIRECTIONS + direction
    sums = np.bincount(place.ravel(), size.ravel(), minlength=CELLS * CELLS * DIRECTIONS)
    return np.sqrt(sums / max(sums.sum(), 1e-12))


def _scaled(block: np.ndarray) -> np.ndarray:
    block = block - block.mean(axis=0)
    return block / max(np.sqrt(block.var(axis=0).sum()), 1e-12)


def bitmap(pixels: np.ndarray) -> bytes:
    """A gray image as PNG.

    Parameters
    ----------
    pixels : uint8 array of shape (height, width)

    Examples
    --------
    >>> bitmap(np.zeros((8, 8), dtype=np.uint8))[:4]
    b'\\x89PNG'
    """
    height, width = pixels.shape
    lines = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels, np.uint8))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
