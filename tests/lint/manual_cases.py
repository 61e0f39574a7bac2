# manual_cases.py - cases of self-test for the scripts manual and api-reference
#
# SPDX-License-Identifier: Apache-2.0
import importlib.machinery
import os
import tempfile

from __main__ import HERE, offences, source, write


def check_links(folder, text, wanted):
    with tempfile.TemporaryDirectory(dir=folder) as root:
        write(root, 'README.md', text)
        write(root, 'docs/page.md', '# A page\n\n## Two `words`, twice\n\n## Two words, twice\n')
        write(root, 'build-x/README.md', '[one](of-a-build.md)\n')
        return offences('manual', [root], wanted)


LINKS = [
    ('links to files, headings and the world', '[a](docs/page.md) [b](docs/page.md#two-words-twice-1) [c](docs)\n'
     '[d](https://example.org/none.md) [e](#me)\n\n# Me\n', []),
    ('a link to a file that is not there', 'one\n[a](docs/none.md)\n', ['README.md: there is no docs/none.md']),
    ('a link to a heading that is not there', '[a](docs/page.md#three)\n',
     ['README.md: docs/page.md has no heading #three']),
    ('a link to a heading of the page itself', '[a](#three)\n', ['README.md has no heading #three']),
    ('a picture that is not there', '![a](docs/none.png)\n', ['there is no docs/none.png']),
    ('a link out of the tree', '[a](../none.md)\n', ['there is no ../none.md']),
    ('code has no links', '```c\n[a](none.md)\n```\n`[a](none.md)`\n', []),
]

DEAD_PAGES = [
    ('a link that leads nowhere', '<a href="b.html">', ['a.html: b.html leads nowhere']),
    ('an anchor that is not there', '<a href="#b"><p id="c">', ['a.html: #b leads nowhere']),
    ('what is there', '<a href="#c"><p id="c"><a href="https://example.org/x.html">', []),
]


def check_pages(folder, text, wanted):
    """Checks a page as Sphinx makes it, with dead_links () of the script."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        write(made, 'a.html', text)
        script = importlib.machinery.SourceFileLoader('manual', os.path.join(HERE, 'manual')).load_module()
        found = script.dead_links(made)
    return [] if found == wanted else [f'{found}, not {wanted}']


def check_comments(folder, root, doxygen, text, wanted):
    """Runs api-reference on a small library with one header, with the real filter."""
    with tempfile.TemporaryDirectory(dir=folder) as tree:
        write(tree, 'libsatin-x/README.md', '# libsatin-x\n\nA library.\n')
        source(tree, 'libsatin-x/include/satin/x.h', '')
        source(tree, 'libsatin-x/include/satin/x/a.h', f'\n{text}\n')
        os.makedirs(os.path.join(tree, 'docs', 'examples'))
        os.symlink(os.path.join(root, 'docs', 'manual'), os.path.join(tree, 'docs', 'manual'))
        return offences('api-reference', [tree, doxygen], wanted)


COMMENTS = [
    ('both forms of comments', '/* Adds. */\nSATIN_API int satin_add (int a);\n\n/**\n * satin_sub:\n * @a: a number\n'
     ' *\n * Subtracts.\n */\nSATIN_API int satin_sub (int a);\n', []),
    ('a function without a comment', 'SATIN_API int satin_add (int a);\n', ['the function satin_add has no comment']),
    ('a comment is for one function', '/* Adds. */\nSATIN_API int satin_add (int a);\nSATIN_API int satin_sub (int a);\n',
     ['the function satin_sub has no comment']),
    ('a macro without a comment', '#define SATIN_X 1\n', ['the define SATIN_X has no comment']),
    ('a comment for two macros', '/* Bounds. */\n#define SATIN_X 1\n#define SATIN_Y 2\n', []),
    ('a type without a comment', 'typedef struct _SatinX SatinX;\n', ['the typedef SatinX has no comment']),
    ('a structure without a comment', 'typedef struct\n{\n  int a;\n} SatinX;\n',
     ['the structure SatinX has no comment']),
    ('values, of which one has no comment', '/* Colours. */\ntypedef enum\n{\n  SATIN_RED, /* like blood */\n'
     '  SATIN_BLUE,\n} SatinColour;\n', ['the value SATIN_BLUE has no comment']),
    ('a parameter that is none', '/**\n * satin_add:\n * @b: a number\n *\n * Adds.\n */\n'
     'SATIN_API int satin_add (int a);\n', ["argument 'b' of command @param is not found"]),
    ('what is not for use by hand', '/* ---- insides; nothing below is for use by hand ---- */\n#define SATIN_X 1\n', []),
]


def check_all(tap, folder, root, doxygen):
    for claim, text, wanted in LINKS:
        tap.case(f'manual: {claim}', check_links(folder, text, wanted))
    for claim, text, wanted in DEAD_PAGES:
        tap.case(f'manual: {claim}', check_pages(folder, text, wanted))
    for claim, text, wanted in COMMENTS:
        if doxygen:
            tap.case(f'api-reference: {claim}', check_comments(folder, root, doxygen, text, wanted))
        else:
            tap.skip(f'api-reference: {claim}', 'doxygen is missing')
