# new_plugin.py - makes, builds, tests and uses new plugins with an installed tree
#
# Each plugin is called odd-one, because the three forms of this name differ: odd-one, odd_one,
# OddOne.
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


def use_adaptation(tree):
    """A simulated run begins on 2 of 8 machines, and the adaptation asks for more."""
    figures = os.path.join(tree.folder, 'figures')
    tree.run(tree.path('bin', 'satin'), 'sim', '--clusters', '1x2', '--pool', '1x8', '--figures', figures,
             '--with', f'adapt:policy={NAME},period=1s', 'tree', '60s')
    with open(figures, encoding='utf-8') as file:
        asked = [line.split()[1] for line in file if line.startswith('adapt.asked ')]
    return [] if asked and int(asked[0]) > 0 else [f'it asked for {asked} machines']


def use_part(tree):
    """The report of a run has the part's figures, once for each node."""
    report = os.path.join(tree.folder, 'figures.json')
    offences = run_fib(tree, '--with', NAME, '--stats-json', report)
    with open(report, encoding='utf-8') as file:
        text = file.read()
    n_figures = text.count(f'"{NAME}.joined"')
    json.loads(text)
    return offences + ([] if n_figures >= 3 else [f'{NAME}.joined is there {n_figures} times'])


def use_storage(tree):
    """The conformance suite writes files, and must leave an empty folder."""
    files = os.path.join(tree.folder, 'files')
    tree.run(tree.path('bin', 'satin'), 'conformance', f'storage-{NAME}', f'uri={NAME}:{files}')
    return [f'{name} was left' for name in os.listdir(files)]


def use_transport(tree):
    return run_fib(tree, '--transport', NAME)


def use_provision(tree):
    """Some rules, with another number of machines than the plugin's own test has."""
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
    """Two nodes without a hub: one prints the result, both end well."""
    program = tree.run(tree.path('bin', 'satin'), 'apps').partition('fib ')[2].split()[0]
    for attempt in range(8):
        answers, states = run_two(tree, program, attempt)
        if states != [0, CLOSED]:
            break  # otherwise one node came after the other had finished the run: try again
    return [] if answers == ['', 'fib(36) = 14930352\n'] and states == [0, 0] \
        else [f'two nodes printed {answers} and ended with {states}']


# The exit status of a node that hears that the run is over: 10 + SATIN_ERROR_CLOSED.
CLOSED = 22

KINDS = {'adaptation': use_adaptation, 'part': use_part, 'policy': use_policy, 'provision': use_provision,
         'registry': use_registry, 'storage': use_storage, 'transport': use_transport}


def find_left(folder):
    """Places where the template's own name was not replaced."""
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
