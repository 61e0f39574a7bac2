# kept.py - what the items of the report share: the options, and runs that need not be made again
#
# A file has one JSON value in each line. The first line says which build made the runs. Each later
# line has a run with its command, so a night that was interrupted continues where it stopped, or the
# values of an item that was made. A last line that was cut off is not used.
#
# SPDX-License-Identifier: Apache-2.0
import importlib.machinery
import importlib.util
import json
import os
import shlex
import sys
import threading

import simulated

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(BENCH))


def load_script(name):
    """Returns a script of tests/bench, whose name has no .py, as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace('-', '_'), os.path.join(BENCH, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def build_stamp(build):
    """Returns when the newest program, library or plugin of a build folder was made, in ns. Builds for other
    machines, in folders cross-*, do not count."""
    newest = 0
    for folder, folders, names in os.walk(build):
        folders[:] = [name for name in folders if not name.startswith('cross-')]
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith('.so') or os.path.basename(folder) == name:
                newest = max(newest, os.stat(path).st_mtime_ns)
    return newest


class Kept:
    """Runs by their commands, also in a file. put() may be called by many threads."""

    def __init__(self, path, build, is_resumed):
        self.lock = threading.Lock()
        self.runs = {}
        self.reals = {}
        self.used = {}
        stamp = {'build': build_stamp(build)}
        lines = self.read(path, stamp) if is_resumed else []
        for line in lines:
            (self.reals if 'real' in line else self.runs)[line['command']] = line
        # An old file is replaced when the new one has all that it had.
        self.file = open(path + '.new', 'w', encoding='utf-8')
        for line in [stamp, *lines]:
            self.write(line)
        os.replace(path + '.new', path)

    @staticmethod
    def read(path, stamp):
        """Returns the runs of the same build."""
        lines = []
        if os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                for line in file:
                    try:
                        lines.append(json.loads(line))
                    except ValueError:
                        break
        if lines and lines[0] != stamp:
            print(f'paper: {path} is of another build: all runs are made again', file=sys.stderr)
            return []
        return [line for line in lines[1:] if 'command' in line]

    def write(self, line):
        self.file.write(json.dumps(line) + '\n')
        self.file.flush()

    @staticmethod
    def text(command):
        return shlex.join(['satin', *(word.replace(ROOT + '/', '').replace(
            'tests/bench/../../', '') for word in command)])

    def get(self, command):
        key = self.text(command)
        with self.lock:
            self.used[key] = True
            record = self.runs.get(key)
        return simulated.Run.from_record(record['run']) if record else None

    def put(self, command, run):
        record = {'command': self.text(command), 'run': run.record()}
        with self.lock:
            self.runs[record['command']] = record
            self.write(record)

    def real(self, command, measure):
        """Returns what @measure () returned for a measurement on this machine, which is what JSON
        has."""
        self.used[command] = True
        if command not in self.reals:
            self.reals[command] = {'command': command, 'real': measure()}
            self.write(self.reals[command])
        return self.reals[command]['real']

    def put_item(self, name, problem, rows):
        """Writes the values of an item, for programs that read the file."""
        self.write({'item': name, 'problem': problem, 'rows': [row.record() for row in rows]})

    def take_used(self):
        """Returns the commands that were used since the last call, in order."""
        used, self.used = list(self.used), {}
        return used


class Context:
    """What an item needs to make its runs. It stands for the arguments of a script of tests/bench,
    too: satin, seeds, jobs, kept."""

    def __init__(self, build, is_quick, jobs, kept):
        self.build = os.path.abspath(build)
        self.satin = f'{self.build}/apps/satin/satin'
        self.is_quick = is_quick
        self.jobs = jobs
        self.kept = kept
        self.seeds = 1

    def choose(self, quick, full):
        return quick if self.is_quick else full

    def with_options(self, **options):
        """Returns a copy with more members, for a script that reads them from its command line."""
        copy = Context(self.build, self.is_quick, self.jobs, self.kept)
        vars(copy).update(options)
        return copy

    def simulate(self, options, program, strategy=None, events=()):
        """Returns a run that has ended well."""
        run = simulated.simulate(self, options, program, strategy, events)
        if run.status != 0:
            raise RuntimeError(f'ends with {run.status}: ' + Kept.text(['sim', *options, *program]))
        return run

    def all_of(self, calls):
        return simulated.all_of(self, calls)
