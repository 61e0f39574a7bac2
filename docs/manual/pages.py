# pages.py - gets the order of the manual's pages from the links in the Markdown files
#
# Each section of docs/index.md is a part of the manual, and the links in the section are the part's
# chapters. The sections of a chapter are the READMEs to which it links, in folders below its own.
# So the order is written only once, and a forge shows the same order. If no such link leads to a
# page, Sphinx warns.
#
# SPDX-License-Identifier: Apache-2.0
import os
import posixpath
import re

from pygments.lexers.special import TextLexer

LINK = re.compile(r'\]\(([^)#:]+\.(?:md|1))(?:#[^)]*)?\)')
API_LINK = '[API reference](manual/README.md)'
API_PAGE = '<a href="{0}">API reference</a>'


def toctree(entries, caption=None):
    head = ['```{toctree}', ':hidden:'] + ([f':caption: {caption}'] if caption else [])
    return '\n'.join(['', *head, '', *entries, '```', ''])


def links(text):
    found = [os.path.splitext(path)[0] for path in LINK.findall(text)]
    return list(dict.fromkeys(found))


def add_parts(text):
    """Adds a table of contents to each section of docs/index.md."""
    pieces = re.split(r'^(## .*)$', text, flags=re.MULTILINE)
    out = pieces[:1]
    for heading, body in zip(pieces[1::2], pieces[2::2]):
        entries = links(body)
        out += [heading, body] + ([toctree(entries, heading[3:])] if entries else [])
    return '\n'.join(out)


def add_sections(docname, text):
    """Adds a README's table of contents: the READMEs below it. The top README gets none, because
    it would contain all of them."""
    folder = posixpath.dirname(docname)
    below = [path for path in links(text)
             if path.endswith('README') and not path.startswith('..') and '/' in path]
    return text + toctree(below) if folder and below else text


def read_source(app, docname, source):
    if app.env.doc2path(docname).endswith('.1'):
        return
    if docname == app.config.root_doc:
        page = API_PAGE.format(app.config.api_reference)
        source[0] = add_parts(source[0].replace(API_LINK, page) if app.config.api_reference else source[0])
    else:
        source[0] = add_sections(docname, source[0])


def setup(app):
    # The path of the API reference from docs/index.html; empty if there is no API reference.
    app.add_config_value('api_reference', '', 'env')
    app.connect('source-read', read_source)
    # No program in Debian draws Mermaid without the network, so the manual shows the source.
    app.add_lexer('mermaid', TextLexer)
    return {'parallel_read_safe': True}
