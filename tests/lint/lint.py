# lint.py - lists sources and prints TAP, for the lint scripts
#
# SPDX-License-Identifier: Apache-2.0
import os
import sys

FOLDERS = ['apps', 'course', 'docs/examples', 'plugins', 'tests']


def folders(root):
    """The folders with sources. Build folders may lie beside them."""
    libraries = sorted(name for name in os.listdir(root) if name.startswith('libsatin-'))
    return [name for name in libraries + FOLDERS if os.path.isdir(os.path.join(root, name))]


def sources(root, endings):
    """The paths, relative to @root, of all sources whose names have one of these endings."""
    found = []
    for folder in folders(root):
        for path, _, names in os.walk(os.path.join(root, folder)):
            found += [os.path.relpath(os.path.join(path, name), root)
                      for name in names if name.endswith(endings)]
    return sorted(found)


def public_headers(root):
    return [path for path in sources(root, ('.h',)) if '/include/' in path]


def read_lines(root, path):
    with open(os.path.join(root, path), encoding='utf-8') as file:
        return file.read().split('\n')


class Tap:
    """Prints a case for each rule, and below it the offences against the rule."""

    def __init__(self):
        self.n_cases = 0
        self.n_failed = 0

    def case(self, claim, offences):
        self.n_cases += 1
        self.n_failed += bool(offences)
        print(f'{"not ok" if offences else "ok"} {self.n_cases} {claim}')
        for offence in offences:
            print('# ' + offence.replace('\n', '\n# '))
            print(offence, file=sys.stderr)

    def skip(self, claim, reason):
        self.n_cases += 1
        print(f'ok {self.n_cases} {claim} # SKIP {reason}')

    def finish(self):
        print(f'1..{self.n_cases}')
        return 1 if self.n_failed else 0
