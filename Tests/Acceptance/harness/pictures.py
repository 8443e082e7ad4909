"""Makes PNG files of any size in a single colour, without an image library."""
import struct
import zlib


def png(width, height, colour_type=2):
    """A PNG file. `colour_type` is a number of the PNG standard: 2 is RGB, and 6 is RGB with an alpha channel."""
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour_type]
    header = struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * width * channels) * height, 1)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


def _chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
