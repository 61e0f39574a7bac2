# test-command-page-forms.py - the page by keyboard, its contrast, its numbers; large and damaged runs
#
# The journals are made by journal-maker. Environment: as for page_common.py, and SATIN_TEST_MAKER.
# Needs Chromium.
#
# SPDX-License-Identifier: Apache-2.0
import os
import subprocess

from page_common import (SATIN, Browser, check, find_url, folder, has_browser, run_cases, skip,
                         start, until)

MAKER = os.environ['SATIN_TEST_MAKER']
TAB, ENTER, SPACE = '\ue004', '\ue007', ' '
MAX_STOPS = 100
LEAST_CONTRAST = 4.5

# Each text with its contrast to the ground behind it, the least first (WCAG 2.1).
CONTRASTS = r'''
const parts = (text) => text.match(/[\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) =>
  c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const color = parts(getComputedStyle(e).backgroundColor);
    if (color.length < 4 || color[3] > 0) return color;
  }
  return [255, 255, 255];
};
const found = [];
for (const e of document.body.querySelectorAll("*")) {
  const hasText = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== "");
  // The rows of a table are alike.
  if (!(hasText || e.matches("input")) || e.matches("script, style, title, tr:nth-child(n + 3) *"))
    continue;
  const style = getComputedStyle(e);
  const fore = light(parts(e.namespaceURI.endsWith("svg") ? style.fill : style.color));
  const back = light(ground(e));
  const ratio = (Math.max(fore, back) + 0.05) / (Math.min(fore, back) + 0.05);
  found.push([ratio, e.tagName + " " + e.textContent.slice(0, 30)]);
}
return found.sort((a, b) => a[0] - b[0]);
'''

# The controls: what a user can see and operate. Each gets a number.
CONTROLS = r'''
return [...document.querySelectorAll("button, input, summary, a[href], [tabindex]")]
  .filter((e) => e.checkVisibility()).map((e, i) => e.dataset.control = String(i));
'''


def press(browser, *keys):
    actions = [{'type': kind, 'value': key} for key in keys for kind in ('keyDown', 'keyUp')]
    browser.call('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keys',
                                                   'actions': actions}]})


def focus(browser):
    """Returns the control that has the focus, and whether that can be seen."""
    return browser.run('const e = document.activeElement, s = getComputedStyle(e);'
                       'return [e.dataset.control ?? "", s.outlineStyle !== "none" '
                       '&& parseFloat(s.outlineWidth) >= 1]')


def make_run(name, *words):
    """Makes a journal, and returns the address of its report."""
    subprocess.run([MAKER, name + '.avro', *words], check=True)
    subprocess.run([SATIN, 'report', '-o', name + '.html', name + '.avro'], check=True,
                   stdout=subprocess.DEVNULL)
    return f'file://{folder}/{name}.html'


def try_keyboard(browser):
    controls = set(browser.run(CONTROLS))
    reached, unseen = set(), []
    for _ in range(MAX_STOPS):
        press(browser, TAB)
        control, is_seen = focus(browser)
        if control in reached or (reached >= controls and control == ''):
            break
        reached.add(control)
        if control != '' and not is_seen:
            unseen.append(control)
    check('the keyboard reaches all controls', controls and controls <= reached,
          controls - reached, reached)
    check('the focus can be seen', not unseen, unseen)
    browser.run('document.querySelectorAll("#nodes th button")[9].focus()')
    press(browser, ENTER)
    order = 'return document.querySelectorAll("#nodes th")[9].ariaSort'
    first = browser.run(order)
    press(browser, SPACE)
    check('Enter and space sort', (first, browser.run(order)) == ('ascending', 'descending'), first)
    browser.run('document.querySelector("#heat-numbers summary").focus()')
    press(browser, ENTER)
    check('Enter opens the numbers of a picture', until(lambda: browser.run(
        'return document.querySelectorAll("#heat-numbers tbody tr").length') > 3))


def try_pictures(browser):
    browser.run('document.querySelectorAll("details").forEach((d) => d.open = true)')
    without = ('return [...document.querySelectorAll("[role=img]")].filter((e) => !e.ariaLabel '
               '|| !(e.closest("section").querySelectorAll("details tbody tr").length > 1))'
               '.map((e) => e.outerHTML.slice(0, 80))')
    pictures = browser.run('return document.querySelectorAll("[role=img]").length')
    check('each picture has a name and a table of its numbers',
          until(lambda: browser.run(without) == []) and pictures == 4, browser.run(without))
    nameless = browser.run('return [...document.querySelectorAll("input, button, [role=region]")]'
                           '.filter((e) => !e.labels?.length && !e.ariaLabel && !e.textContent)'
                           '.map((e) => e.outerHTML)')
    check('each control has a name', nameless == [], nameless)


def try_contrast(browser):
    browser.run('for (const id of ["live", "damage"]) document.getElementById(id).hidden = false;'
                'document.getElementById("damage").textContent = "damaged";'
                'document.getElementById("live").classList.add("lost");'
                'document.getElementById("live-text").textContent = "lost"')
    for scheme in ('light', 'dark'):
        browser.call('POST', '/goog/cdp/execute', {
            'cmd': 'Emulation.setEmulatedMedia',
            'params': {'features': [{'name': 'prefers-color-scheme', 'value': scheme}]}})
        found = browser.run(CONTRASTS)
        check(f'all text has a contrast of {LEAST_CONTRAST} on a {scheme} ground',
              len(found) > 80 and found[0][0] >= LEAST_CONTRAST, found[:10])


def try_quantiles(browser):
    labels = browser.run('return [...document.querySelectorAll("#heat-numbers tbody tr")].map('
                         '(r) => r.cells[0].textContent)')
    check('a cluster of many nodes is shown by quantiles', 'median of 250, cluster c1' in labels
          and len(labels) == 5 + 50, labels[:8])
    check('and one of few by its nodes', 'node 300, cluster c2' in labels, labels[-3:])
    shares = browser.run('return [...document.querySelectorAll("#heat-numbers tbody tr")].slice(0, 5)'
                         '.map((r) => parseFloat(r.cells[2].textContent))')
    check('quantiles are in order', len(set(shares)) == 5
          and shares == sorted(shares, reverse=True), shares)


def list_nodes(browser, wanted):
    browser.run('const f = document.getElementById("node-filter"); '
                f'f.value = "{wanted}"; f.dispatchEvent(new Event("input"))')
    return browser.run('return [...document.querySelectorAll("#nodes tbody tr")].map('
                       '(r) => r.cells[0].textContent)')


def try_large(browser):
    browser.open(make_run('large', '10000', '4', '0.5'))
    check('10,000 nodes are shown', browser.tile('nodes') == '10000', browser.tile('nodes'))
    check('those that were lost, too', browser.tile('nodes lost') == '200',
          browser.tile('nodes lost'))
    said = browser.run('return document.getElementById("nodes-listed").textContent')
    check('the table lists some of them', len(list_nodes(browser, '')) == 100
          and said.startswith('100 of 10000 nodes'), said)
    check('the filter finds a node', list_nodes(browser, 'host9876') == ['9876'])
    check('and those that were lost', list_nodes(browser, 'died')[:2] == ['50', '100'])


def try_damage(browser):
    with open('large.avro', 'rb') as file:
        whole = file.read()
    with open('cut.avro', 'wb') as file:
        file.write(whole[:len(whole) // 2])
    page = start(SATIN, 'page', 'cut.avro', out='page.out')
    browser.open(find_url('page.out')[0])
    said = 'return document.getElementById("damage").textContent'
    check('the page says where a journal is damaged', until(
        lambda: 'is damaged at byte' in browser.run(said)
        and browser.run('return document.getElementById("damage").checkVisibility()')))
    check('and shows the run up to there', browser.tile('nodes').endswith(' of 10000')
          and browser.tile('jobs') not in ('', '0'), browser.tile('jobs'))
    log = browser.call('POST', '/se/log', {'type': 'browser'})
    check('the browser has no complaint', log == [], log)
    page.terminate()
    page.wait()


def main():
    if not has_browser():
        skip('the page in a browser', 'there is no chromium')
        return
    browser = Browser()
    browser.open(make_run('run', '300', '20', '1'))
    try_keyboard(browser)
    try_pictures(browser)
    try_quantiles(browser)
    try_contrast(browser)
    try_large(browser)
    try_damage(browser)
    browser.close()


run_cases(main)
