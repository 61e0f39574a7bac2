# abi_cases.py - small libraries with and without a break, for the script abi
#
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = os.path.join('libsatin-base', 'include', 'satin', 'base', 'a.h')
BEFORE = '''typedef struct { unsigned long struct_size; int (*open) (int); } SatinOps;
typedef struct { int n; long size; } SatinPair;
int satin_use (const SatinOps *ops, SatinPair pair);
'''
# What is replaced by what, and words that the offence has; None: there must be no offence.
CASES = [
    ('nothing has changed', '', '', None),
    ('a member is between others', 'int n; long', 'int n; int m; long', 'SatinPair has changed'),
    ('a structure is larger', 'long size;', 'long size; long more;', 'SatinPair has changed'),
    ('a structure with struct_size grows at its end', '(int); } SatinOps', '(int); int (*close) (int); } SatinOps', None),
    ('an operation has another type', '(*open) (int)', '(*open) (long)', 'SatinOps has changed'),
    ('a function has another argument', 'SatinPair pair', 'SatinPair *pair', 'satin_use has changed'),
    ('a function has another name', 'int satin_use', 'int satin_consume', 'satin_use is gone'),
    ('a function is new', 'int satin_use', 'int satin_more (int n); int satin_use', None),
    ('a function is not listed', 'int satin_use', 'int satin_hide (int n); int satin_use', 'lacks satin_hide'),
]
LISTED = ['satin_use', 'satin_consume', 'satin_more'] # in the list of symbols of the Debian package
BODIES = {'satin_use': '(const SatinOps *ops, SatinPair pair) { return ops->open (pair.n); }',
          'satin_consume': '(const SatinOps *ops, SatinPair pair) { return ops->open (pair.n); }',
          'satin_more': '(int n) { return n; }',
          'satin_hide': '(int n) { return n; }'}


def build(folder, cc, header):
    """Builds a library with this public header in the folder, which is source and build in one."""
    os.makedirs(os.path.join(folder, os.path.dirname(HEADER)), exist_ok=True)
    with open(os.path.join(folder, HEADER), 'w', encoding='ascii') as file:
        file.write(header)
    code = ''.join(f'int {name} {body}\n' for name, body in BODIES.items() if name + ' (' in header)
    if 'SatinPair *pair' in header:
        code = code.replace('SatinPair pair', 'SatinPair *pair').replace('pair.n', 'pair->n')
    with open(os.path.join(folder, 'a.c'), 'w', encoding='ascii') as file:
        file.write(f'#include "{HEADER}"\n{code}')
    subprocess.run([*cc.split(), '-g', '-shared', '-fPIC', 'a.c', '-o', 'libsatin-base/libsatin-base.so'], cwd=folder,
                   check=True)


def try_case(folder, cc, abidw, old, new, wanted):
    """Returns: an offence if the script does not say what is wanted"""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        command = [sys.executable, os.path.join(HERE, 'abi')]
        os.makedirs(os.path.join(place, 'tests', 'abi'))
        os.makedirs(os.path.join(place, 'debian'))
        with open(os.path.join(place, 'debian', 'libsatin-base0.symbols'), 'w', encoding='ascii') as file:
            file.writelines(f' {name}@Base 0.1.0\n' for name in LISTED)
        build(place, cc, BEFORE)
        subprocess.run([*command, '--update', place, place, abidw], check=True)
        build(place, cc, BEFORE.replace(old, new) if old else BEFORE)
        run = subprocess.run([*command, place, place, abidw], capture_output=True, text=True, check=False)
    right = run.returncode == 0 if wanted is None else run.returncode == 1 and wanted in run.stdout
    return [] if right else [f'status {run.returncode}: {run.stdout}{run.stderr}']


def check_all(tap, folder, cc):
    abidw = shutil.which('abidw')
    for claim, old, new, wanted in CASES:
        if abidw:
            tap.case(f'abi: {claim}', try_case(folder, cc, abidw, old, new, wanted))
        else:
            tap.skip(f'abi: {claim}', 'abidw is not installed')
