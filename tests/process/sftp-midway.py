#!/usr/bin/env python3
# sftp-midway.py - an SFTP server that does something at one request of a connection
#
#   sftp-midway.py FILE [OPTION...]
#
# sshd starts this program in place of sftp-server, and this program starts sftp-server and passes
# packets on. If FILE exists when a connection begins, it has the text "stop N" or "refuse N". With
# "stop", request number N of the connection and all later ones are neither done nor answered. With
# "refuse", request number N is not done, and is answered with a failure. Requests are counted from
# 1 after the client's hello. When request N arrives, FILE.reached is made.
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
    """Returns: "stop", "refuse" or None if there is no file; the number of the request"""
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
    """Returns: a packet that answers the request with a failure"""
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
