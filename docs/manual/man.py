# man.py - turns man pages into pages of the manual, with mandoc
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess

from docutils import nodes
from sphinx.parsers import Parser

TITLE = re.compile(r'\s*<h1 class="Sh"[^>]*>(.*?)</h1>(.*)</section>', re.DOTALL)


class ManParser(Parser):
    supported = ('man',)

    def parse(self, inputstring, document):
        path = document.current_source or document['source']
        name = os.path.basename(path).removesuffix('.1')
        folder = os.path.dirname(path)
        run = subprocess.run(['mandoc', '-T', 'html', '-O', 'fragment', path], check=True, capture_output=True,
                             text=True)
        page = nodes.section(ids=[name], names=[name])
        page += nodes.title(text=f'{name}(1)')
        for number, piece in enumerate(run.stdout.split('<section class="Sh">')[1:]):
            head, body = TITLE.match(piece).groups()
            title = ' '.join(re.sub(r'<[^>]*>', '', head).split())
            section = nodes.section(ids=[f'{name}-{number}'])
            section += nodes.title(text=title.capitalize())
            section += nodes.raw('', self.add_links(body, folder), format='html')
            page += section
        document += page

    @staticmethod
    def add_links(text, folder):
        """Links references to other man pages. mandoc marks them, but does not link them."""
        def link(found):
            name = found.group(1)
            is_here = os.path.exists(os.path.join(folder, f'{name}.1'))
            return f'<a href="{name}.html">{name}(1)</a>' if is_here else f'{name}({found.group(2)})'
        return re.sub(r'<a class="Xr"[^>]*>([\w-]+)\((\d)\)</a>', link, text)


def setup(app):
    app.add_source_parser(ManParser)
    return {'parallel_read_safe': True}
