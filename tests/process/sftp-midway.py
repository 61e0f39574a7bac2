#!/usr/bin/env python3
# sftp-midway.py - an SFTP server that does something at one request of a connection
#
#   sftp-midway.py FILE [OPTION...]
#
# Stands between sshd and sftp-server. FILE, when a connection begins with it, says "stop N" or "refuse N":
# request number N of the connection, counted from 1 behind the client's hello, is never answered, or answered
# with a failure and not done. FILE.reached is there then.
#
# SPDX-License-Identifier: Apache-2.0
import os
import struct
import subprocess
import sys
import threading

SERVER = '/usr/lib/openssh/sftp-server'
HELLO = 1
STATUS = 101
FAILURE = 4


def read_plan(path):
    """What to do, and at which request: at none when there is no file."""
    try:
        with open(path, encoding='ascii') as file:
            what, number = file.read().split()
            return what, int(number)
    except OSError:
        return None, 0


def read_packet(stream):
    head = stream.read(4)
    return head + stream.read(*struct.unpack('>I', head)) if len(head) == 4 else b''


def write_all(stream, packet):
    stream.write(packet)
    stream.flush()


def copy_answers(server, client):
    while packet := read_packet(server):
        write_all(client, packet)


def refusal_of(packet):
    """A status for the request's id."""
    body = struct.pack('>B', STATUS) + packet[5:9] + struct.pack('>III', FAILURE, 0, 0)
    return struct.pack('>I', len(body)) + body


def main():
    path, options = sys.argv[1], sys.argv[2:]
    what, number = read_plan(path)
    client_in, client_out = sys.stdin.buffer, sys.stdout.buffer
    server = subprocess.Popen([SERVER, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    threading.Thread(target=copy_answers, args=(server.stdout, client_out), daemon=True).start()
    n_requests = 0
    while packet := read_packet(client_in):
        n_requests += packet[4] != HELLO
        if n_requests != number or what is None:
            write_all(server.stdin, packet)
            continue
        what, plan = None, what
        with open(path + '.reached', 'w', encoding='ascii'):
            pass
        if plan == 'refuse':
            write_all(client_out, refusal_of(packet))
        else:
            client_in.read()
    os._exit(0)


if __name__ == '__main__':
    main()
