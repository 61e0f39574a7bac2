// steals.js - who steals from whom: a matrix of clusters
//
// SPDX-License-Identifier: Apache-2.0

// The matrix has no more rows than this.
const MAX_THIEVES = 20;

const STEALS_FROM = /^steals-from\.(.*)\.(tried|won|bytes|within-(\d+))$/;

// Returns: a map of maps: the thieves' cluster, then the victims' cluster, lead to the counts
// {tried, won, bytes, within: Map of times in microseconds to counts}.
function countSteals(run) {
  const matrix = new Map();
  for (const node of run.nodes.values())
    for (const [name, value] of Object.entries(node.last)) {
      const parts = STEALS_FROM.exec(name);
      if (!parts) continue;
      const row = getOrMake(matrix, node.cluster, () => new Map());
      const cell = getOrMake(row, parts[1], () => ({tried: 0, won: 0, bytes: 0, within: new Map()}));
      if (parts[3]) cell.within.set(+parts[3], (cell.within.get(+parts[3]) ?? 0) + value);
      else cell[parts[2]] += value;
    }
  return matrix;
}

function getOrMake(map, key, makeValue) {
  if (!map.has(key)) map.set(key, makeValue());
  return map.get(key);
}

// Returns: a time, microseconds, within which this share of the answers came.
function quantile(within, share) {
  const times = [...within.keys()].sort((a, b) => a - b);
  let left = share * times.reduce((sum, time) => sum + within.get(time), 0);
  for (const time of times) if ((left -= within.get(time)) <= 0) return time;
  return times.at(-1) ?? 0;
}

const formatQuantile = (within, share) =>
  within.size === 0 ? "–" : "≤ " + formatTime(quantile(within, share));

// The text of a cell of the matrix, and below it how long the answers took.
function describeCell(cell) {
  if (!cell) return ["", ""];
  return [`${formatCount(cell.won)} of ${formatCount(cell.tried)}`,
    `${formatQuantile(cell.within, 0.5)}, ${formatQuantile(cell.within, 0.99)}, ${formatBytes(cell.bytes)}`];
}

function showSteals(run) {
  const matrix = countSteals(run), order = (a, b) => a.localeCompare(b, undefined, {numeric: true});
  const thieves = [...matrix.keys()].sort(order);
  at("steals-section").hidden = thieves.length === 0;
  if (thieves.length === 0) return;
  const listed = thieves.slice(0, MAX_THIEVES);
  const victims = [...new Set(listed.flatMap((thief) => [...matrix.get(thief).keys()]))].sort(order);
  const most = Math.max(1, ...listed.flatMap((thief) => [...matrix.get(thief).values()].map((c) => c.won)));
  const head = make("tr", {}, make("th", {class: "text", scope: "col"}, "thief, victim"),
    ...victims.map((victim) => make("th", {scope: "col"}, victim || "–")));
  const rows = listed.map((thief) => make("tr", {}, make("th", {class: "text", scope: "row"}, thief || "–"),
    ...victims.map((victim) => {
      const cell = matrix.get(thief).get(victim), [counts, times] = describeCell(cell);
      const shade = Math.round(40 * (cell?.won ?? 0) / most);
      return make("td", {style: `background: color-mix(in srgb, var(--busy) ${shade}%, transparent)`},
        counts, make("br"), make("small", {}, times));
    })));
  at("steals").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  setText(at("steals-listed"), listed.length === thieves.length ? ""
    : `${listed.length} of ${thieves.length} clusters.`);
}
