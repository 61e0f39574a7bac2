# conf.py - settings with which Sphinx makes the manual from the Markdown files of the tree
#
# SPDX-License-Identifier: Apache-2.0
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

project = 'Satin'
copyright = 'the authors of Satin'
extensions = ['myst_parser', 'pages', 'man']

# The source folder is the root of the tree, so links between the files also work in the manual.
root_doc = 'docs/index'
include_patterns = ['*.md', 'docs/**.md', 'docs/man/*.1', 'libsatin-*/**.md', 'plugins/**.md', 'apps/**.md', 'packaging/*.md', 'course/**.md']
# Pages in plugins/template have a NAME that satin new-plugin replaces. Build folders may lie in the
# tree.
exclude_patterns = ['plugins/template', 'build*', '.git', 'tests']
source_suffix = {'.md': 'markdown', '.1': 'man'}

# Pages link to headings down to this level.
myst_heading_anchors = 4
highlight_language = 'none'

html_theme = 'furo'
html_title = 'Satin'
html_copy_source = False
html_extra_path = ['start']
