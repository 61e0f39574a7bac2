# pages.py - the order of the manual's pages, from the links that the Markdown files have anyway
#
# The sections of docs/index.md are the parts of the manual: the links in one are its chapters. A
# page's sections are the READMEs below its folder that it links. So the order is written once, and
# a forge shows it too. A page that nobody links so is a warning of Sphinx.
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
    """docs/index.md: a table of contents for each of its sections."""
    pieces = re.split(r'^(## .*)$', text, flags=re.MULTILINE)
    out = pieces[:1]
    for heading, body in zip(pieces[1::2], pieces[2::2]):
        entries = links(body)
        out += [heading, body] + ([toctree(entries, heading[3:])] if entries else [])
    return '\n'.join(out)


def add_sections(docname, text):
    """A README: those below it. The README of the tree has none, or it would have all."""
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
    # Where the API reference lies, as seen from docs/index.html; empty: it is not there.
    app.add_config_value('api_reference', '', 'env')
    app.connect('source-read', read_source)
    # Nothing in Debian draws Mermaid without the network: its source is shown.
    app.add_lexer('mermaid', TextLexer)
    return {'parallel_read_safe': True}
