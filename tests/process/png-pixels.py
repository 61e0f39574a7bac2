# png-pixels.py - checks a condition on the pixels of a PNG file without an alpha channel
#
#   png-pixels.py FILE CONDITION
#
# CONDITION is an expression of Python with width, height, and pixels: a list of (red, green, blue),
# line by line from the top. Exit status: 0 if it is true.
#
# SPDX-License-Identifier: Apache-2.0
import struct
import sys
import zlib


def read(path):
    """Returns the width, the height and the pixels."""
    with open(path, 'rb') as file:
        data = file.read()
    width, height, depth, kind, _, _, interlace = struct.unpack('>IIBBBBB', data[16:29])
    assert data[:8] == b'\211PNG\r\n\032\n' and (depth, kind, interlace) == (8, 2, 0), 'another kind of file'
    at, packed = 8, b''
    while at < len(data):
        length, = struct.unpack('>I', data[at:at + 4])
        if data[at + 4:at + 8] == b'IDAT':
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    return width, height, unfilter(zlib.decompress(packed), width, height)


def predict(how, left, up, corner):
    """The value that a line's filter expects for a byte, from its neighbours."""
    if how < 4:
        return (0, left, up, (left + up) // 2)[how]
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


def unfilter(lines, width, height):
    n = 3 * width
    before, pixels = bytearray(n + 3), []
    for y in range(height):
        how, line = lines[y * (n + 1)], bytearray(3)
        for i, byte in enumerate(lines[y * (n + 1) + 1:(y + 1) * (n + 1)]):
            line.append((byte + predict(how, line[i], before[i + 3], before[i])) & 255)
        before = line
        pixels += zip(*[iter(line[3:])] * 3)
    return pixels


def main():
    width, height, pixels = read(sys.argv[1])
    known = {'width': width, 'height': height, 'pixels': pixels}
    if not eval(sys.argv[2], known):
        print(f'{sys.argv[1]}: {width}x{height}, not: {sys.argv[2]}')
        print('pixels:', pixels[:5], '...', len(set(pixels)), 'colours')
        sys.exit(1)


main()
