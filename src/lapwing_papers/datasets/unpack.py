"""Files packed by compress(1), which end in ``.Z``."""

MAGIC = b"\x1f\x9d"
CLEAR = 256  # the code that empties the table, in files that allow it


def unpack(packed: bytes) -> bytes:
    """The content of a ``.Z`` file: Lempel, Ziv and Welch's codes of 9 bits and more.

    Codes are read eight at a time, so that what is left of eight codes is skipped where their
    width changes.

    Examples
    --------
    >>> unpack(bytes.fromhex("1f9d9061c48401"))
    b'aba'
    """
    if packed[:2] != MAGIC:
        raise ValueError("This is no file of compress(1): it does not begin with 1f 9d.")
    most, clears = packed[2] & 0x1F, bool(packed[2] & 0x80)
    first = [bytes([i]) for i in range(256)] + [b""] * clears
    table, before, found = list(first), b"", []
    bits, at = 9, 24
    begun, end = at, 8 * len(packed)
    while at + bits <= end:
        byte = at >> 3
        code = int.from_bytes(packed[byte : byte + 3], "little") >> (at & 7) & ((1 << bits) - 1)
        at += bits
        if clears and code == CLEAR:
            table, before = list(first), b""
            begun = at = _next(at, begun, bits)
            bits = 9
            continue
        if code > len(table) - (not before):
            raise ValueError("The file of compress(1) is damaged: it has a code without a meaning.")
        piece = table[code] if code < len(table) else before + before[:1]
        found.append(piece)
        if before and len(table) < 1 << most:
            table.append(before + piece[:1])
        before = piece
        if len(table) == 1 << bits and bits < most:
            begun = at = _next(at, begun, bits)
            bits += 1
    return b"".join(found)


def _next(at: int, begun: int, bits: int) -> int:
    """Where the next eight codes begin."""
    return begun + -(-(at - begun) // (8 * bits)) * 8 * bits
