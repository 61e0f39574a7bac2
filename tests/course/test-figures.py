#!/usr/bin/env python3
# test-figures.py - graders that find a file of figures which a program has replaced take points, and
# do not break
#
# SPDX-License-Identifier: Apache-2.0
import contextlib
import importlib.machinery
import importlib.util
import os
import sys
import tempfile

COURSE = os.environ['SATIN_COURSE_DIR']
sys.dont_write_bytecode = True
sys.path.insert(0, COURSE)
import grading # pylint: disable=wrong-import-position

# What a program may write instead of figures.csv.
TABLES = {
    'a row that is too short': 'jobs,efficiency,makespan_s\n1\n',
    'no row': 'jobs,efficiency,makespan_s\n',
    'no header': '',
    'other names': 'a,b\n1,2\n',
    'no number': 'jobs,efficiency,makespan_s\nx,x,x\n',
    'numbers without end': 'jobs,efficiency,makespan_s\ninf,inf,inf\n',
    'what is not a number': 'jobs,efficiency,makespan_s\nnan,nan,nan\n',
    'numbers that are too large': 'jobs,efficiency,makespan_s\n1e308,1e308,1e308\n',
    'a field that is too long': 'jobs,efficiency,makespan_s\n' + '1' * 200000 + ',1,1\n',
    'other letters': 'jobs,efficiency,makespan_s\n\u00bd,1,1\n',
}

# What a program may write instead of figures.json.
TOTALS = {
    'an empty file': '',
    'no totals': '{"nodes": []}',
    'totals in a list': '{"totals": []}',
    'totals that are a number': '{"totals": 7}',
    'a list': '[]',
    'a number': '7',
    'lists in lists': '[' * 100000,
}


class Tap:
    def __init__(self):
        self.n_cases = 0

    def case(self, name, function, reason=''):
        """A case, which passes if the function raises Lost with the reason. The reason must be one line"""
        self.n_cases += 1
        try:
            function()
            offence = 'it took no points'
        except grading.Lost as lost:
            text = str(lost)
            offence = '' if reason in text and len(text) < 300 and '\n' not in text else text
        except Exception as error: # pylint: disable=broad-exception-caught
            offence = f'{type(error).__name__}: {str(error)[:200]}'
        print(f'{"not ok" if offence else "ok"} {self.n_cases} {name}', flush=True)
        for line in offence.splitlines():
            print(f'# {line}', flush=True)


class Work:
    """As much of grading.Work as the functions of graders need that read files."""

    def __init__(self, box):
        self.box = box
        self.satin = 'satin'
        self.name = 'figures'
        self.known = {}

    def draw(self, name, least, most):
        return least

    def write(self, name, text):
        with open(os.path.join(self.box, name), 'w', encoding='utf-8') as file:
            file.write(text)


def load_grader(assignment):
    loader = importlib.machinery.SourceFileLoader('grader', os.path.join(COURSE, assignment, 'grade'))
    grader = importlib.util.module_from_spec(importlib.util.spec_from_loader('grader', loader))
    loader.exec_module(grader)
    # The program of a student, which printed the right answer.
    grader.expect = grader.drive = lambda *words: 'replay'
    return grader


def test_files(tap, folder):
    integrate, project = load_grader('01-integrate'), load_grader('08-project')
    for name, text in TABLES.items():
        work = Work(folder)
        work.write('figures.csv', text)
        tap.case(f'integrate: {name}', lambda work=work: integrate.simulate(work), 'no figures')
        tap.case(f'project: {name}', lambda work=work: project.check_simulator(work), 'no figures')
    for name, text in TOTALS.items():
        work = Work(folder)
        work.write('figures.json', text)
        tap.case(f'project: {name}', lambda work=work: project.check_losses(work), 'no figures')


def test_survive(tap, folder):
    """A function of the student does not return after the last sweep, and no seed was wrong."""
    grader, work = load_grader('06-survive'), Work(folder)

    @contextlib.contextmanager
    def hosting(work):
        yield {}
        work.known['broken'] = grading.Lost('a function of survive.c does not return')

    grader.hosting = hosting
    grader.sweep = lambda *words: (0, grader.BLOCK, None)
    tap.case('survive: a function that does not return', lambda: grader.check_right(work), 'does not return')


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix='satin-test-') as folder:
        test_files(tap, folder)
        test_survive(tap, folder)
    print(f'1..{tap.n_cases}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
