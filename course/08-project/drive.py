# drive.py - runs a program on several nodes, and kills a node or stops the run on the way
#
#   drive.py kill SATIN PROGRAM ARGUMENT...    four nodes; one is killed
#   drive.py stop SATIN PROGRAM ARGUMENT...    stops the run, and continues it from its checkpoint
#
# It prints the output of the run that reached its end. Exit status 1: something went wrong, and the
# standard error says what. The figures of the last run are in figures.json.
#
# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import sys
import time

PATIENCE_S = 60
BEGUN_S = 0.2 # a node that has used so much processor time is running jobs
STOPPED = 28 # the exit status of a run that was stopped
TICKS = os.sysconf('SC_CLK_TCK')


def fail(text):
    sys.exit(text)


def processor_s(pid):
    """Returns: the processor time of a process, or None when the process is gone"""
    try:
        with open(f'/proc/{pid}/stat', encoding='ascii', errors='replace') as file:
            words = file.read().rpartition(')')[2].split()
        return (int(words[11]) + int(words[12])) / TICKS
    except OSError:
        return None


def nodes_of(program):
    """Returns: a dictionary: for each process of the program, its processor time"""
    found = {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            is_node = os.path.realpath(f'/proc/{pid}/exe') == os.path.realpath(program)
        except OSError:
            continue
        used = processor_s(pid) if is_node else None
        if used is not None:
            found[int(pid)] = used
    return found


def wait_for_nodes(run, program, n):
    """Waits until n nodes are running jobs. Returns: the processes of the program, as nodes_of() does"""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        nodes = nodes_of(program)
        if len(nodes) >= n and min(nodes.values()) >= BEGUN_S:
            return nodes
        if run.poll() is not None:
            fail(f'the large run ends before {n} nodes are busy: make it larger')
        time.sleep(0.02)
    return fail(f'not all of {n} nodes get work')


def start(satin, *words):
    command = [satin, 'run', '-q', '--stats-json', 'figures.json', *words]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(run, wanted):
    """Waits for the end of the run, which must have the wanted status. Returns: what the run printed"""
    output, errors = run.communicate(timeout=PATIENCE_S)
    if run.returncode != wanted:
        lines = errors.decode('utf-8', 'replace').strip().splitlines()
        fail(f'the run ended with status {run.returncode}' + (f': {lines[-1]}' if lines else ''))
    return output


def kill(satin, program, *arguments):
    run = start(satin, '-n', '4', program, *arguments)
    os.kill(max(wait_for_nodes(run, program, 4)), signal.SIGKILL)
    return finish(run, 0)


def stop(satin, program, *arguments):
    words = ['-n', '2', '--checkpoint', 'file:checkpoint', '--checkpoint-every', '500ms', program, *arguments]
    run = start(satin, *words)
    wait_for_nodes(run, program, 2)
    subprocess.run([satin, 'stop'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE_S, check=False)
    if run.wait(PATIENCE_S) == 0:
        fail('the large run ends before it can be stopped: make it larger')
    finish(run, STOPPED)
    return finish(start(satin, *words), 0)


if __name__ == '__main__':
    try:
        sys.stdout.buffer.write({'kill': kill, 'stop': stop}[sys.argv[1]](*sys.argv[2:]))
    except subprocess.TimeoutExpired:
        fail(f'the run does not end within {PATIENCE_S} s')
