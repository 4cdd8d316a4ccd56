"""Files of compress(1) are read back, whatever the width of their codes, and Isolet among them."""

import io

import numpy as np
import pytest

from lapwing_papers.datasets import convert
from lapwing_papers.datasets.unpack import unpack


def pack(content: bytes, most: int = 16, clear_every: int = 10**9) -> bytes:
    """What compress(1) writes; gzip reads it too. The table is emptied after so many codes."""
    packed = bytearray([0x1F, 0x9D, 0x80 | most])
    codes: list[int] = []

    def write(bits, whole=True):
        value = sum(code << bits * i for i, code in enumerate(codes))
        packed.extend(value.to_bytes(bits if whole else -(-len(codes) * bits // 8), "little"))
        codes.clear()

    table, bits, said, word = {bytes([i]): i for i in range(256)}, 9, 0, b""
    table[b"clear"] = 256
    for byte in content:
        longer = word + bytes([byte])
        if longer in table:
            word = longer
            continue
        codes.append(table[word])
        if len(codes) == 8:
            write(bits)
        if len(table) < 1 << most:
            table[longer] = len(table)
        if len(table) > 1 << bits and bits < most:  # the reader is one entry behind
            if codes:
                write(bits)
            bits += 1
        said, word = said + 1, bytes([byte])
        if said % clear_every == 0:
            codes.append(256)
            write(bits)
            table, bits = {bytes([i]): i for i in range(256)}, 9
            table[b"clear"] = 256
    if word:
        codes.append(table[word])
    write(bits, whole=False)
    return bytes(packed)


def numbers(n: int) -> bytes:
    rng = np.random.default_rng(n)
    return b", ".join(b"%.4f" % x for x in rng.uniform(-1, 1, n))


@pytest.mark.parametrize("most", [10, 12, 16])
@pytest.mark.parametrize(
    "content", [b"", b"a", b"aaaaaaaaaa", b"abababab" * 50, numbers(300), numbers(20_000)]
)
def test_what_was_packed_is_read(content, most):
    assert unpack(pack(content, most)) == content


@pytest.mark.parametrize("every", [3, 8, 300, 1000])
def test_a_table_that_is_emptied(every):
    content = numbers(2_000)
    assert unpack(pack(content, 12, every)) == content


def test_other_files_are_refused():
    with pytest.raises(ValueError, match="does not begin with 1f 9d"):
        unpack(b"PK\x03\x04")
    damaged = bytearray(pack(b"abc" * 5))
    damaged[4:6] = b"\xff\xff"
    with pytest.raises(ValueError, match="damaged"):
        unpack(bytes(damaged))


def test_isolet(tmp_path, monkeypatch):
    """Speakers in turn, two utterances of each letter: three letters, thirty speakers a group."""
    monkeypatch.setattr(convert, "ISOLET", (180,) * 5)
    letters = np.tile(np.repeat([1, 2, 3], 2), 150)
    speakers = np.repeat(np.arange(150), 6)
    A = np.round(np.random.default_rng(0).uniform(-1, 1, (900, 4)), 4)
    A[:, 0] = speakers / 1000
    files = [tmp_path / "isolet1+2+3+4.data.Z", tmp_path / "isolet5.data.Z"]
    for file, rows in zip(files, (slice(720), slice(720, None)), strict=True):
        text = io.BytesIO()
        np.savetxt(text, np.column_stack([A, letters])[rows], fmt=["%.4f"] * 4 + ["%d."],
                   delimiter=", ")  # fmt: skip
        file.write_bytes(pack(text.getvalue()))
    found = convert.isolet(files)
    first = found["group"] == 1
    np.testing.assert_array_equal(found["y"][first], np.repeat([1, 2, 3], 60))
    np.testing.assert_allclose(found["X"][first, 0], found["speaker"][first] / 1000, atol=1e-7)
    np.testing.assert_array_equal(found["speaker"][~first], -1)
    np.testing.assert_allclose(found["X"][720:], A[720:], atol=1e-7)  # group 5 as it comes
    assert found["y"].shape == found["group"].shape == (900,)
