// losses.js - the nodes that were lost, and what that cost the run
//
// SPDX-License-Identifier: Apache-2.0

// The table of losses has no more rows than this: the newest.
const MAX_LOSSES = 100;

// What losses cost the run: the text of each cost, and its figure.
const COSTS = [
  ["jobs that came back", "recovery.restarted"],
  ["of these, others had the result", "ft.found"],
  ["orphans found", "recovery.orphans"],
  ["orphans used again", "recovery.adopted"],
  ["work done again", "ft.again-us"],
];

// Returns: a row for each node that died. An older journal does not say how the death was found.
function rowsOfLosses(run) {
  const hows = new Map(told(run, "loss").map(({number, text}) => [number, text]));
  const rows = [];
  let master = 0;
  for (const {timeUs, number, kind, text} of run.events) {
    if (kind === "master") master = number;
    if (kind !== "state" || text !== "died") continue;
    const {cluster, host} = run.nodes.get(number);
    rows.push([formatTime(timeUs), number === master ? `${number}, the master` : String(number),
      cluster || "–", host, hows.get(number) ?? "–"]);
  }
  return rows;
}

function showLosses(run) {
  const rows = rowsOfLosses(run);
  at("losses-section").hidden = rows.length === 0;
  if (rows.length === 0) return;
  const table = at("losses");
  if (!table.tHead) fillHead(table, ["at", "node", "cluster", "host", "how it was found"], [2, 3, 4]);
  fillBody(table, rows.slice(-MAX_LOSSES), ["", "", "text", "text", "text long"]);
  setText(at("losses-listed"), rows.length <= MAX_LOSSES ? ""
    : `The newest ${MAX_LOSSES} of ${rows.length}.`);
  showTerms(at("costs"), COSTS.map(([name, figure]) =>
    [name, figure.endsWith("-us") ? formatTime(run.sum(figure)) : formatCount(run.sum(figure))]));
}
