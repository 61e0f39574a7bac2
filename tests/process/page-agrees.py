# page-agrees.py - whether the page and satin top agree with --stats-json, for tests in bash
#
#   page-agrees.py JOURNAL STATS [TOP]
#
# JOURNAL, STATS and TOP are the journal of a run that is over, its --stats-json, and the output of
# satin top -b. Prints what differs, and then ends with status 1. Without Chromium the page's tiles
# are not compared, but its metrics and satin top are. Environment: as for page_common.py.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import sys

paths = [os.path.abspath(path) for path in sys.argv[1:]]
import page_common as page  # noqa: E402 (the import goes to another folder)


def find_differences(journal, stats_path, top=None):
    stats = json.loads(page.read(stats_path))
    page.start(page.SATIN, 'page', journal, out='page.out')
    url, port, token = page.find_url('page.out')
    metrics = page.ask(port, f'/{token}/metrics')[2]
    wrong = page.differing_metrics(metrics, stats)
    if top:
        wrong += page.differing_top(top, stats, metrics)
    if page.has_browser():
        browser = page.Browser()
        browser.open(url)
        wrong += page.differing_tiles(browser, stats)
        wrong += page.differing_losses(browser, stats)
        browser.close()
    return wrong


try:
    differences = find_differences(*paths)
finally:
    page.clean_up()
for difference in differences:
    print(difference, file=sys.stderr)
sys.exit(bool(differences))
