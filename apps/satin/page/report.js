// report.js - fills the page from the data in its element "data"
//
// SPDX-License-Identifier: Apache-2.0

const data = JSON.parse(document.getElementById("data").textContent);
const run = readRun(data.run);
showAll(run);
if (data.other) showComparison(run, readRun(data.other));
for (const id of ["filter", "node-filter"]) at(id).addEventListener("input", () => showTables(run));
at("heat-state").addEventListener("change", () => showHeat(run));
if (data.live) follow(run, data.run.count, data.picture ? followPicture() : () => {});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showHeat(run));
