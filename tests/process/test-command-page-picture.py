# test-command-page-picture.py - the picture of a program on the page of its run
#
# Environment: as for page_common.py, and SATIN_TEST_NODE (test-command-node). Cases in the browser are
# skipped where there is none.
#
# SPDX-License-Identifier: Apache-2.0
import http.client
import os
import signal
import struct
import subprocess
import zlib

from page_common import SATIN, Browser, check, find_url, has_browser, run_cases, skip, start, until

NODE = os.environ['SATIN_TEST_NODE']
JPEG = b'\377\330\377\340' + b'the rest of a JPEG image'


def png(width, height):
    """Returns a grey image."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    lines = (b'\0' + b'\200' * width) * height
    return (b'\211PNG\r\n\032\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 0, 0, 0, 0))
            + chunk(b'IDAT', zlib.compress(lines)) + chunk(b'IEND', b''))


def write(data):
    """Writes the picture as a program should: under another name, and renames it."""
    with open('shown.part', 'wb') as file:
        file.write(data)
    os.rename('shown.part', 'shown.png')


def ask(port, token, **headers):
    """Asks for the picture. Returns the status, the headers and the bytes."""
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
    connection.request('GET', f'/{token}/picture', headers={name.replace('_', '-'): value
                                                            for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body


def try_server(port, token):
    status, _, body = ask(port, token)
    check('a file that is not there yet is no error', (status, body) == (204, b''), status, body)
    write(png(3, 2))
    status, first, body = ask(port, token)
    check('a PNG image is sent', status == 200 and body == png(3, 2), status, body)
    check('with its type, which the browser may not guess', first['Content-Type'] == 'image/png'
          and first['X-Content-Type-Options'] == 'nosniff', first)
    status, _, body = ask(port, token, If_None_Match=first['ETag'])
    check('the same picture is not sent twice', (status, body) == (304, b''), status, body)
    write(png(4, 2))
    status, second, body = ask(port, token, If_None_Match=first['ETag'])
    check('a new picture is sent, with a new tag', status == 200 and body == png(4, 2)
          and second['ETag'] != first['ETag'], status, second)
    write(JPEG)
    status, headers, body = ask(port, token)
    check('a JPEG image has its type', status == 200 and headers['Content-Type'] == 'image/jpeg'
          and body == JPEG, status, headers)
    for what, data, words in [('an SVG file', b'<svg xmlns="http://www.w3.org/2000/svg"/>', b'neither a PNG nor'),
                              ('HTML', b'<!DOCTYPE html><script>alert(1)</script>', b'neither a PNG nor'),
                              ('an empty file', b'', b'neither a PNG nor'),
                              ('a large file', png(1, 1) + bytes(16 << 20), b'larger than 16 MiB')]:
        write(data)
        status, headers, body = ask(port, token)
        check(f'{what} is not shown', status == 415 and words in body
              and headers['Content-Type'].startswith('text/plain') and b'<' not in body, status, body[:200])
    os.remove('shown.png')
    os.mkfifo('shown.png')
    status, _, body = ask(port, token)
    check('a pipe does not hold the server up', status == 415 and b'no regular file' in body, status, body)
    os.remove('shown.png')
    os.mkdir('shown.png')
    status, _, body = ask(port, token)
    check('a folder is not shown', status == 415 and b'no regular file' in body, status, body)
    os.rmdir('shown.png')
    write(png(3, 2))
    status, _, _ = ask(port, '0' * 32)
    check('without the token there is no picture', status == 403, status)
    status, _, _ = ask(port, token, Origin='http://example.org')
    check('the script of another page gets no picture', status == 403, status)


def width_of(browser):
    """Returns the width of the picture that the page shows, in pixels; 0: none is shown."""
    return browser.run('const image = document.getElementById("picture"); '
                       'return image.hidden || !image.complete ? 0 : image.naturalWidth')


def try_browser(url):
    browser = Browser()
    os.remove('shown.png')
    browser.open(url)
    text = 'return document.getElementById("picture-text").textContent'
    check('the page says that there is no picture yet', until(
        lambda: 'has not written its picture yet' in browser.run(text)), browser.run(text))
    write(png(30, 20))
    check('the page shows the picture', until(lambda: width_of(browser) == 30), width_of(browser))
    write(png(31, 20))
    check('and shows it again when it has changed', until(lambda: width_of(browser) == 31), width_of(browser))
    log = browser.call('POST', '/se/log', {'type': 'browser'})
    check('the browser has no complaint', log == [], log)
    write(b'<svg/>')
    check('a file that is no picture is said', until(
        lambda: 'neither a PNG nor a JPEG image' in browser.run(text)), browser.run(text))
    browser.close()


def main():
    refused = subprocess.run([SATIN, 'run', '--picture', 'shown.png', NODE, 'exit', '0'],
                             capture_output=True, text=True, check=False)
    check('a picture needs a page', refused.returncode == 2 and 'add --page' in refused.stderr, refused.stderr)
    run = start(SATIN, 'run', '--page', '--picture', 'shown.png', '-n', '2', '-w', '1', 'tree', '--sleep',
                '--grain', '20ms', '1000s', out='run.out')
    url, port, token = find_url('run.out')
    try_server(port, token)
    if has_browser():
        try_browser(url)
    else:
        skip('the picture in a browser', 'there is no chromium')
    run.send_signal(signal.SIGINT)
    run.wait()
    page = start(SATIN, 'page', out='page.out')
    url, port, token = find_url('page.out')
    status, _, _ = ask(port, token)
    check('a page without the option has no picture', status == 404, status)
    page.send_signal(signal.SIGINT)
    page.wait()


run_cases(main)
