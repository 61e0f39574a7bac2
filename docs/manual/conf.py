# conf.py - how Sphinx makes the manual out of the Markdown files of the tree
#
# SPDX-License-Identifier: Apache-2.0
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

project = 'Satin'
copyright = 'the authors of Satin'
extensions = ['myst_parser', 'pages', 'man']

# The root of the tree is the source folder, so that links between the files are links of the manual.
root_doc = 'docs/index'
include_patterns = ['*.md', 'docs/**.md', 'docs/man/*.1', 'libsatin-*/**.md', 'plugins/**.md', 'apps/**.md']
# What is copied by satin new-plugin has a NAME in it. Builds may lie in the tree.
exclude_patterns = ['plugins/template', 'build*', '.git', 'tests']
source_suffix = {'.md': 'markdown', '.1': 'man'}

# As deep as pages have headings that others link to.
myst_heading_anchors = 4
highlight_language = 'none'

html_theme = 'furo'
html_title = 'Satin'
html_copy_source = False
html_extra_path = ['start']
