#!/usr/bin/env python3
# delayed.py - two hosts (network namespaces) and a link between them, on which each packet takes a given time
#
# The kernel needs no netem. A process of its own reads the packets that one host sends from a TUN device, and
# writes them to the device of the other host when their time has come. Needs root, ip and /dev/net/tun.
#
# SPDX-License-Identifier: Apache-2.0
import collections
import ctypes
import fcntl
import os
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454ca
IFF_TUN, IFF_NO_PI = 0x1, 0x1000
CLONE_NEWNET = 0x40000000
DEVICE = 'wan'
MAX_PACKET = 65536
# A link keeps at most this many packets on their way in each direction, and drops those above.
MAX_ON_THE_WAY = 100000


class Missing(Exception):
    """What this machine lacks for such a network."""


class Hosts:
    """Use it in a with statement."""

    def __init__(self, latency_us):
        self.latency_us = latency_us
        self.names = [f'satin-{os.getpid()}-{letter}' for letter in 'ab']
        self.addresses = ['10.213.77.1', '10.213.77.2']
        self.carrier = None

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.remove()

    def make(self):
        for name in self.names:
            ip('netns', 'add', name)
        self.carrier = subprocess.Popen([sys.executable, os.path.abspath(__file__), *self.names, str(self.latency_us)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self.carrier.stdout.readline() != 'ready\n':
            raise Missing(self.carrier.communicate()[1].strip().splitlines()[-1])
        for name, address in zip(self.names, self.addresses):
            ip('-n', name, 'address', 'add', f'{address}/30', 'dev', DEVICE)
            ip('-n', name, 'link', 'set', 'lo', 'up')
            ip('-n', name, 'link', 'set', DEVICE, 'up')

    def remove(self):
        if self.carrier is not None:
            self.carrier.kill()
            self.carrier.communicate()
        for name in self.names:
            subprocess.run(['ip', 'netns', 'del', name], stderr=subprocess.DEVNULL, check=False)

    def on(self, number):
        """Returns the words before a command that runs it on host 0 or 1."""
        return ['ip', 'netns', 'exec', self.names[number]]


def ip(*words):
    try:
        done = subprocess.run(['ip', *words], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Missing('there is no command ip: install iproute2') from error
    if done.returncode != 0:
        raise Missing(f'ip {" ".join(words)}: {done.stderr.strip()}')


# ---- the process that carries the packets ----

def open_device(name):
    """Returns the file of a new TUN device in that namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(f'/run/netns/{name}', 'rb') as namespace:
        if libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f'setns: {os.strerror(ctypes.get_errno())}')
    device = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack('16sH22x', DEVICE.encode(), IFF_TUN | IFF_NO_PI))
    return device


def read_packets(device, queue, delay_s):
    while True:
        try:
            packet = os.read(device, MAX_PACKET)
        except OSError:  # nothing there, or the device is still down
            return
        if len(queue) < MAX_ON_THE_WAY:
            queue.append((time.monotonic() + delay_s, packet))


def write_packets(device, queue):
    while queue and queue[0][0] <= time.monotonic():
        try:
            os.write(device, queue.popleft()[1])
        except OSError:  # a device that is down or full drops the packet, as a network does
            pass


def carry(names, delay_s):
    devices = [open_device(name) for name in names]
    queues = [collections.deque(), collections.deque()]
    print('ready', flush=True)
    while True:
        due = [queue[0][0] for queue in queues if queue]
        wait_s = max(0, min(due) - time.monotonic()) if due else None
        ready = select.select(devices, [], [], wait_s)[0]
        for i in range(2):
            if devices[i] in ready:
                read_packets(devices[i], queues[i], delay_s)
            write_packets(devices[1 - i], queues[i])


if __name__ == '__main__':
    try:
        carry(sys.argv[1:3], int(sys.argv[3]) / 1e6)
    except KeyboardInterrupt:
        pass
