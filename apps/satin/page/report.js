// report.js - fills the page from the events in its element "data"
//
// SPDX-License-Identifier: Apache-2.0

// Makes a run of the events in which numbers stand for names.
function readRun({names, events}) {
  const run = new Run();
  for (const [timeUs, node, kind, text, values] of events) {
    const byName = {};
    for (let i = 0; i < values.length; i += 2) byName[names[values[i]]] = values[i + 1];
    run.add([timeUs, node, names[kind], text, byName]);
  }
  return run;
}

const data = JSON.parse(document.getElementById("data").textContent);
const run = readRun(data);
showAll(run);
if (data.other) showComparison(run, readRun(data.other));
at("filter").addEventListener("input", () => showEvents(run));
if (data.live) follow(run, data.count);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showHeat(run));
