// report.js - fills the page from the events in its element "data"
//
// SPDX-License-Identifier: Apache-2.0

const {names, events, count, live} = JSON.parse(document.getElementById("data").textContent);
const run = new Run();
for (const [timeUs, node, kind, text, values] of events) {
  const byName = {};
  for (let i = 0; i < values.length; i += 2) byName[names[values[i]]] = values[i + 1];
  run.add([timeUs, node, names[kind], text, byName]);
}
showAll(run);
at("filter").addEventListener("input", () => showEvents(run));
if (live) follow(run, count);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showHeat(run));
