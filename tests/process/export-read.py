# export-read.py - reads what satin checkpoint export --avro has written, and compares each row with
# what the program computes
#
#   export-read.py FOLDER N_CUBES
#
# Prints one line for each claim that does not hold.
#
# SPDX-License-Identifier: Apache-2.0
import hashlib
import json
import os
import sys
import time

import avro.datafile
import avro.io


def read(folder, task):
    """Returns: the rows of the task's file, and its schema"""
    with open(os.path.join(folder, task + '.avro'), 'rb') as file:
        with avro.datafile.DataFileReader(file, avro.io.DatumReader()) as reader:
            return list(reader), json.loads(reader.schema)


def expect(claim, holds):
    if not holds:
        print(claim)


def main():
    folder, n_cubes = sys.argv[1], int(sys.argv[2])
    cubes, schema = read(folder, 'cube')
    fields = {field['name']: field['type'] for field in schema['fields']}
    expect('a row is a record', schema['type'] == 'record')
    expect('arguments may be missing', fields['arguments'][0] in ('null', {'type': 'null'}))
    expect('each cube is there once', sorted(cube['result']['value']['volume'] for cube in cubes) == [n**3 for n in range(n_cubes)])
    for cube in cubes:
        n, at, value = cube['arguments']['n'], cube['arguments']['at'], cube['result']['value']
        expect(f'volume of {n}', value['volume'] == n**3)
        expect(f'corner of {n}', value['corner'] == {'x': at['x'] / 2, 'label': at['label']} and at == {'x': float(n), 'label': 'café'})
        expect(f'edges of {n}', value['edges'] == [n, -n])
        expect(f'task of {n}', cube['task'] == 'cube')
        expect(f'place of {n}: it is a child of the root job', cube['place'] == [n + 2])
        expect(f'time of {n}', abs(cube['time_us'] / 1e6 - time.time()) < 3600)
        expect(f'node of {n}', 0 <= cube['node'] <= 9)
    long_ones, _ = read(folder, 'count')
    expect('long arguments are left out', [(row['arguments'], row['result']) for row in long_ones] == [(None, {'value': 5000})])
    # The encoded arguments are the length 5000 as a zigzag varint, and 5000 zero bytes.
    key = hashlib.sha256(b'count\0' + bytes([0x90, 0x4e]) + bytes(5000)).hexdigest()[:32]
    expect('the key is the digest of task and arguments', long_ones[0]['key'] == key)
    return 0


if __name__ == '__main__':
    sys.exit(main())
