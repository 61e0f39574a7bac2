# comments.py - converts comments of public headers into the form that Doxygen reads
#
# A comment is in gtk-doc form (a name, parameters, paragraphs, "Returns:") or plain text. Doxygen
# reads both as Markdown, so characters that have a meaning in Markdown are escaped.
#
# SPDX-License-Identifier: Apache-2.0
import re

# Parts that are not escaped: code between backticks, and emphasis.
KEPT = re.compile(r'(`[^`]*`|(?<![\w*])\*[A-Za-z][\w ]*\*(?![\w*]))')
# "Threads: any. Cost: O(n)." at the beginning of a paragraph or a sentence.
TITLE = re.compile(r'(^|(?<=[.)] ))(Threads|Cost|Source|Memory|Differs|Errors):(?= )')
CODE_SIGN = re.compile(r'[;{}]|SATIN_')


def strip_stars(comment):
    """Returns the lines of a comment without its marks. Indented lines stay indented."""
    inside = re.sub(r'^/\*+ ?|\s*\*/$', '', comment)
    return [re.sub(r'^\s*\* ?', '', line).rstrip() if number > 0 else line.rstrip()
            for number, line in enumerate(inside.split('\n'))]


def strip_indent(comment):
    """Returns the lines of a plain comment without its marks and without their indentation."""
    lines = re.sub(r'^/\*+ ?|\s*\*/$', '', comment).split('\n')
    return [lines[0].rstrip()] + [re.sub(r'^\s*(\* ?)?', '', line).rstrip() for line in lines[1:]]


def inline(text):
    """Escapes one line or paragraph, and turns @name into code."""
    out = []
    for number, part in enumerate(KEPT.split(text)):
        if number % 2 == 0:
            part = part.replace('\\', '\\\\').replace('<', '\\<').replace('>', '\\>')
            part = re.sub(r'[*#~]|--', r'\\\g<0>', part)
            part = re.sub(r'%(?=[A-Za-z]\w{2})', '', part).replace('%', '\\%')
            part = re.sub(r'@(\w+|\.\.\.)', r'`\1`', part).replace('@', '\\@')
            part = TITLE.sub(r'<b>\2:</b>', part)
            part = re.sub(r'(^|(?<=[.)] ))Returns:? ', r'\n@return ', part)
        elif part.startswith('`'):
            part = part.replace("'", '&apos;') if "'" in part else part
        out.append(part)
    return ''.join(out)


def is_list(line):
    return re.match(r'\s*- ', line) is not None


def body(lines):
    """Converts paragraphs and lists, and turns indented blocks into code."""
    out = []
    number = 0
    while number < len(lines):
        line = lines[number]
        is_block = line.startswith('  ') and not is_list(line) and (number == 0 or not lines[number - 1])
        if not is_block:
            out.append(inline(line))
            number += 1
            continue
        end = number
        while end < len(lines) and (lines[end].startswith('  ') or not lines[end]):
            end += 1
        block = [text.removeprefix('  ') for text in lines[number:end]]
        word = 'code' if CODE_SIGN.search('\n'.join(block)) else 'verbatim'
        out += ['@code{.c}' if word == 'code' else '@verbatim', *block, f'@end{word}', '']
        number = end
    return '\n'.join(out).strip('\n')


class Comment:
    """A comment: the text about the whole, and the text about each parameter or field."""

    def __init__(self, text):
        self.is_gtk = text.startswith('/**')
        self.params = {}
        lines = strip_stars(text) if self.is_gtk else strip_indent(text)
        if self.is_gtk:
            # The first line is empty, the second the name.
            self.name = lines[1].strip(' :')
            lines = self.take_params(lines[2:])
        self.body = body(lines)

    def take_params(self, lines):
        name = None
        for number, line in enumerate(lines):
            found = re.match(r'@([\w.]+): *(.*)', line)
            if found:
                name = found.group(1)
                self.params[name] = found.group(2)
            elif line and name is not None:
                self.params[name] += ' ' + line.strip()
            else:
                return lines[number:]
        return []

    def is_for(self, code):
        """A gtk-doc block is for the symbol that it names. A plain comment is for all below it."""
        return not self.is_gtk or re.search(rf'\b_?{re.escape(self.name)}\b', code) is not None

    def of_function(self, has_result):
        text = self.wrap([f'@param {name} {inline(text)}' for name, text in self.params.items()])
        # A comment for several functions may say "Returns" although this one returns nothing.
        return text if has_result else text.replace('@return ', '<b>Returns:</b> ')

    def of_structure(self, names):
        """Text about a name that is no field of the structure stays in the description."""
        others = [f'`{name}`: {inline(text)}\n' for name, text in self.params.items() if name not in names]
        return self.wrap(others)

    def wrap(self, lines):
        return '/**\n' + '\n'.join([self.body, '', *lines] if self.body else lines) + '\n */\n'
