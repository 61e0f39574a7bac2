# new_plugin.py - new plugins on an installed tree: begun, built, tested, used
#
# Each is named odd-one, so that all three forms of a name are in it: odd-one, odd_one and OddOne.
#
# SPDX-License-Identifier: Apache-2.0
import os

NAME = 'odd-one'


def run_fib(tree, *options):
    answer = tree.run(tree.path('bin', 'satin'), 'run', '-q', '-n', '3', *options, 'fib', '20')
    return [] if answer == 'fib(20) = 6765\n' else [f'satin run {options} printed {answer}']


def use_policy(tree):
    return run_fib(tree, '--policy', f'{NAME}:wait=1ms')


KINDS = {'policy': use_policy}


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
