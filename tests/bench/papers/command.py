# command.py - the command paper: which items are made, progress, and the exit status
#
# SPDX-License-Identifier: Apache-2.0
import argparse
import os
import sys
import time
import traceback

from papers import catalogue, compared, kept, report


def processor_s():
    """Returns the processor time of this process and of all its children that have ended."""
    return sum(os.times()[:4])


class Outcome:
    """An item after its runs: a Result, or the text of what went wrong."""

    def __init__(self, entry, result, problem, commands):
        self.entry = entry
        self.result = result
        self.problem = problem
        self.commands = commands


class Progress:
    """Tells how much time is left, from the costs of the catalogue and the time so far."""

    def __init__(self, entries, is_quick, jobs):
        self.costs = {entry.id: entry.cost_s[0 if is_quick else 1] for entry in entries}
        self.jobs = jobs
        self.began = time.monotonic()
        self.done_s = 0

    def left_s(self):
        left = (sum(self.costs.values()) - self.done_s) / self.jobs
        passed = time.monotonic() - self.began
        # The factor by which this machine is slower, once something has been done.
        return left * (passed * self.jobs / self.done_s if self.done_s > 10 else 1)

    def tell(self, i, n, entry):
        print(f'[{i}/{n}] {entry.id}: {entry.shows} ({self.left_s() / 60:.0f} min left)', file=sys.stderr, flush=True)

    def end(self, entry, used_s):
        self.done_s += self.costs[entry.id]
        print(f'    {used_s:.0f} s of processor time', file=sys.stderr, flush=True)


def make(context, entry):
    """Makes one item. Nothing that goes wrong in it ends this command."""
    result, problem = None, ''
    try:
        result = entry.make(context)
    except (Exception, SystemExit) as error:  # the other items are still made
        problem = f'{type(error).__name__}: {error}'
        print(f'paper: {entry.id} has failed: {problem}\n{traceback.format_exc()}', file=sys.stderr)
    context.kept.put_item(entry.id, problem, result.rows if result else [])
    return Outcome(entry, result, problem, context.kept.take_used())


def make_all(context, entries):
    progress = Progress(entries, context.is_quick, context.jobs)
    outcomes = []
    for i, entry in enumerate(entries, 1):
        progress.tell(i, len(entries), entry)
        before_s = processor_s()
        outcomes.append(make(context, entry))
        progress.end(entry, processor_s() - before_s)
    return outcomes


def list_entries():
    for entry in catalogue.ENTRIES:
        print(f'{entry.id:18} {entry.shows}' + (f' (not made: {entry.reason})' if entry.reason else ''))


def print_summary(outcomes):
    """Prints the summary as Markdown."""
    print('| item | value | theirs | ours | ours / theirs | ours is |\n|' + '---|' * 6)
    for outcome in outcomes:
        if outcome.problem:
            print(f'| {outcome.entry.id} | {outcome.entry.shows} |  |  |  | {compared.FAILED} |')
            continue
        for row in outcome.result.rows:
            ratio = row.ratio()
            print(f'| {outcome.entry.id} | {row.what} | {row.their_text()} | {row.text(row.ours())} '
                  f'| {"" if ratio is None else f"{ratio:.2f}"} | {row.verdict()} |')


def parse(description):
    parser = argparse.ArgumentParser(prog='paper', description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', nargs='?', help='the build folder, of a release build')
    parser.add_argument('--quick', action='store_true', help='fewer seeds and sizes: some minutes instead of a night')
    parser.add_argument('--only', metavar='ID,...', help='these items only')
    parser.add_argument('--list', action='store_true', help='print all items of the texts, also those that are not '
                                                            'made')
    parser.add_argument('--report', metavar='FILE.html', default='paper.html',
                        help='the report (paper.html); FILE.json has the values and keeps the runs')
    parser.add_argument('--jobs', type=int, default=len(os.sched_getaffinity(0)), help='simulated runs at a time')
    parser.add_argument('--resume', action='store_true', help='use the runs that FILE.json has of this build')
    arguments = parser.parse_args()
    if arguments.build is None and not arguments.list:
        parser.error('name the build folder')
    if arguments.jobs < 1:
        parser.error('--jobs is at least 1')
    if not arguments.report.endswith('.html'):
        parser.error('--report takes a name that ends in .html')
    return parser, arguments


def choose(parser, only):
    entries = {entry.id: entry for entry in catalogue.made()}
    if only is None:
        return list(entries.values())
    unknown = [name for name in only.split(',') if name not in entries]
    if unknown:
        parser.error(f'{unknown[0]} is no item that is made; --list prints all')
    return [entries[name] for name in only.split(',')]


def main(description):
    """Returns the exit status: 1 if an item has failed."""
    parser, arguments = parse(description)
    if arguments.list:
        list_entries()
        return 0
    entries = choose(parser, arguments.only)
    build = os.path.abspath(arguments.build)
    if not os.path.exists(f'{build}/apps/satin/satin'):
        parser.error(f'{build} has no apps/satin/satin: build it first')
    os.environ.update(SATIN_PLUGIN_PATH=f'{build}/plugins', SATIN_APP_PATH=f'{build}/apps')
    store = kept.Kept(os.path.splitext(arguments.report)[0] + '.json', build, arguments.resume)
    context = kept.Context(build, arguments.quick, arguments.jobs, store)
    began = time.monotonic()
    try:
        outcomes = make_all(context, entries)
    except KeyboardInterrupt:
        print('paper: interrupted; the same command with --resume continues', file=sys.stderr)
        return 130
    took = f'{time.monotonic() - began:.0f} s and {processor_s():.0f} s of processor time'
    report.write(arguments.report, arguments, outcomes, took)
    print_summary(outcomes)
    print(f'paper: {arguments.report} was made in {took}', file=sys.stderr)
    return 1 if any(outcome.problem for outcome in outcomes) else 0
