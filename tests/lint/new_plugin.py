# new_plugin.py - new plugins on an installed tree: begun, built, tested, used
#
# Each is named odd-one, so that all three forms of a name are in it: odd-one, odd_one and OddOne.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import subprocess

NAME = 'odd-one'


def run_fib(tree, *options):
    answer = tree.run(tree.path('bin', 'satin'), 'run', '-q', '-n', '3', *options, 'fib', '20')
    return [] if answer == 'fib(20) = 6765\n' else [f'satin run {options} printed {answer}']


def use_policy(tree):
    return run_fib(tree, '--policy', f'{NAME}:wait=1ms')


def use_part(tree):
    """Its figures are in the report of the run, once for each node."""
    report = os.path.join(tree.folder, 'figures.json')
    offences = run_fib(tree, '--with', NAME, '--stats-json', report)
    with open(report, encoding='utf-8') as file:
        text = file.read()
    n_figures = text.count(f'"{NAME}.joined"')
    json.loads(text)
    return offences + ([] if n_figures >= 3 else [f'{NAME}.joined is there {n_figures} times'])


def use_storage(tree):
    """The suite fills a folder and leaves it empty."""
    files = os.path.join(tree.folder, 'files')
    tree.run(tree.path('bin', 'satin'), 'conformance', f'storage-{NAME}', f'uri={NAME}:{files}')
    return [f'{name} was left' for name in os.listdir(files)]


def use_transport(tree):
    return run_fib(tree, '--transport', NAME)


def use_provision(tree):
    """A rule with another number of machines than its own test has."""
    tree.run(tree.path('bin', 'satin'), 'conformance', '--filter', 'provision/request',
             f'provision-{NAME}', 'max=2', 'patience=60s')
    return []


def run_two(tree, program, attempt):
    nodes = []
    for number in (1, 2):
        parts = (f'net:registry={NAME},hub={NAME}:{tree.folder}/log-{attempt},'
                 f'listen=unix:{tree.folder}/node-{attempt}-{number}')
        nodes.append(subprocess.Popen([program, '36'], stdout=subprocess.PIPE, text=True,
                                      env={**tree.environment, 'SATIN_PARTS': parts}))
    answers = sorted(node.communicate(timeout=60)[0] for node in nodes)
    return answers, sorted(node.returncode for node in nodes)


def use_registry(tree):
    """Two nodes without a hub: one answers, both end well."""
    program = tree.run(tree.path('bin', 'satin'), 'apps').partition('fib ')[2].split()[0]
    for attempt in range(8):
        answers, states = run_two(tree, program, attempt)
        if states != [0, CLOSED]:
            break  # else one came when the other had done all alone
    return [] if answers == ['', 'fib(36) = 14930352\n'] and states == [0, 0] \
        else [f'two nodes printed {answers} and ended with {states}']


# The exit status of who is told that the run is over: 10 + SATIN_ERROR_CLOSED.
CLOSED = 22

KINDS = {'part': use_part, 'policy': use_policy, 'provision': use_provision, 'registry': use_registry, 'storage': use_storage,
         'transport': use_transport}


def find_left(folder):
    """Places where the template's own name was left standing."""
    left = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            with open(path, encoding='utf-8') as file:
                left += [f'{name}: {line.strip()}' for line in file if 'template' in line.lower()]
            left += [name] if 'template' in name else []
    return left


def try_kind(tree, kind):
    folder = os.path.join(tree.folder, f'{kind}-{NAME}')
    build = os.path.join(folder, 'build')
    tree.run(tree.path('bin', 'satin'), 'new-plugin', kind, NAME)
    left = find_left(folder)
    tree.run(*tree.meson, 'setup', '--werror', build, folder)
    tree.run(*tree.meson, 'test', '-C', build, '--print-errorlogs')
    tree.environment['SATIN_PLUGIN_PATH'] = build
    return left + KINDS[kind](tree)
