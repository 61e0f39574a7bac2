"""overhead - measures what a part or an option costs a run

Runs each program in turns with the part or option and without it, so that a change of the machine's
speed meets both. Processor time is that of all nodes and of the command. Other programs on the
machine can only add to it, so the ratio of the smallest times of all pairs counts. The median and
the quartiles of the ratios of all pairs show how noisy the machine is. Elapsed time says little on
a loaded machine.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import time


def parser(description):
    result = argparse.ArgumentParser(description=description)
    result.add_argument("build", help="a build folder, of a release build")
    result.add_argument("--pairs", type=int, default=25)
    result.add_argument("--nodes", type=int, default=2)
    result.add_argument("--limit", type=float, help="fail when a ratio of smallest times is above")
    return result


def run(build, nodes, command, options):
    """Returns what was printed, the processor seconds and the elapsed seconds."""
    environment = dict(os.environ, SATIN_PLUGIN_PATH=f"{build}/plugins",
                       SATIN_APP_PATH=f"{build}/apps")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run([f"{build}/apps/satin/satin", "run", "--quiet", "-n", str(nodes)] + options
                          + command, env=environment, capture_output=True, text=True, check=False)
    elapsed = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.strip()}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, used, elapsed


def run_pairs(build, nodes, command, both, pairs):
    """Returns, by label, a pair for each run: processor seconds and elapsed seconds."""
    answers = set()
    times = {label: [] for label, _ in both}
    for i in range(pairs):
        for label, options in both if i % 2 == 0 else reversed(both):
            answer, used, elapsed = run(build, nodes, command, options)
            answers.add(answer)
            times[label].append((used, elapsed))
    if len(answers) != 1:
        sys.exit(f"{' '.join(command)}: results differ: {sorted(answers)}")
    return times


def compare(build, nodes, command, both, pairs):
    times = run_pairs(build, nodes, command, both, pairs)
    ratios = {what: [have[i] / lack[i] for have, lack in zip(times["with"], times["without"])]
              for i, what in enumerate(("processor", "elapsed"))}
    smallest = min(used for used, _ in times["with"]) / min(used for used, _ in times["without"])
    return smallest, ratios


def describe(ratios):
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"{middle:.4f} ({low:.4f} to {high:.4f})"


def measure(options, what, programs, both):
    """Prints a row for each program. Returns the exit status."""
    build = os.path.abspath(options.build)
    print(f"load {os.getloadavg()[0]:.1f}, {options.nodes} nodes, {options.pairs} pairs: with / without {what}")
    print(f"{'':10} {'smallest':9} {'processor time, median':27} elapsed time, median")
    worst = 0
    for command in programs:
        smallest, ratios = compare(build, options.nodes, command, both, options.pairs)
        worst = max(worst, smallest)
        print(f"{command[0]:10} {smallest:<9.4f} {describe(ratios['processor']):27} {describe(ratios['elapsed'])}",
              flush=True)
    return 1 if options.limit is not None and worst > options.limit else 0
