# real.py - items and values that are measured on this machine: what a spawn, recovery and a
# checkpoint cost
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
import statistics
import subprocess

import overhead
from papers import kept
from papers.compared import Result, Row

speedup = kept.load_script('speedup')


def environment(context):
    return dict(os.environ, SATIN_PLUGIN_PATH=f'{context.build}/plugins', SATIN_APP_PATH=f'{context.build}/apps')


def compare(context, program, options, title):
    """Returns the smallest processor time of two nodes with some options, divided by that
    without."""
    pairs = context.choose(5, 25)

    def measure():
        both = [('with', options['with']), ('without', options['without'])]
        return overhead.compare(context.build, 2, program, both, pairs)[0]

    return context.kept.real(f'satin run -n 2 {" ".join(program)}   # {pairs} times in turns, with and without '
                             f'{title}', measure)


def recovery_cost(context, program):
    return compare(context, program, {'with': [], 'without': ['--no-recovery']}, 'recovery')


def spawn_figures(context):
    """Returns the medians of some rounds. The ratios are those of each round, in which the kinds take
    turns."""
    def once():
        done = subprocess.run([context.satin, 'bench', 'spawn'], env=environment(context), capture_output=True,
                              text=True, check=True)
        found = re.findall(r'^(\S+) +([0-9.]+)', done.stdout, re.MULTILINE)
        figures = {name: float(value) for name, value in found}
        figures['inlet-to-call'] = figures['spawn.inlet'] / figures['spawn.call']
        figures['inlet-to-general'] = figures['spawn.inlet'] / figures['spawn.general']
        return figures

    def measure():
        rounds = [once() for _ in range(5)]
        return {name: statistics.median([each[name] for each in rounds]) for name in rounds[0]}

    return context.kept.real('satin bench spawn   # 5 times, medians', measure)


def spawn(context):
    """001 table III."""
    figures = spawn_figures(context)
    return Result([
        Row('a spawn and its sync, of a call', 314 / 8, None, figures['spawn.general-to-call'], form='{:.1f}'),
        Row('the same by the typed macros', 314 / 8, None, figures['spawn.typed-to-call'], form='{:.1f}'),
        Row('with an inlet, of a call', 378 / 8, None, figures['inlet-to-call'], form='{:.1f}'),
        Row('with an inlet, of a spawn without', 378 / 314, None, figures['inlet-to-general']),
        Row('a call (ns)', 8, None, figures['spawn.call'], good=None, form='{:.1f}'),
        Row('a spawn and its sync (ns)', 314, None, figures['spawn.general'], good=None, form='{:.1f}')],
        remarks=['Theirs is a call of a JIT compiler on a machine of 2007; a call here is one of C.'])


def one_machine(context):
    """001 sec. 5.7: 22 queens of one machine against plain C, without a number of its own in the
    text. Returns the time of one worker, divided by that of plain C."""
    def measure():
        size = context.choose('--small', None)
        bench = speedup.Bench(type('Arguments', (), {
            'build': context.build, 'small': size is not None, 'rounds': 3, 'nodes': 1, 'workers': 1}))
        program = next(each for each in speedup.PROGRAMS if each.name == 'nqueens')
        seconds = bench.measure(program)
        return min(seconds['process']) / min(seconds['plain'])

    return context.kept.real(f'SATIN_WORKERS=1 nqueens {context.choose(13, 16)} --time   # 3 rounds, in turns with '
                             f'--sequential', measure)
