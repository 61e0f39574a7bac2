// heat.js - how the nodes spent their time: a row for each node, or quantiles of a cluster
//
// SPDX-License-Identifier: Apache-2.0

// A cluster with more nodes than this is shown by quantiles, not by a row for each node.
const MAX_NODES = 50;
// If there would be more rows than this, all clusters are shown by quantiles.
const MAX_ROWS = 100;
// If there are more clusters than this, quantiles are the median only. There are never more than
// MAX_MEDIANS rows.
const MAX_CLUSTERS = 40, MAX_MEDIANS = 400;

const QUANTILES = [[1, "largest share"], [0.75, "upper quarter"], [0.5, "median"],
  [0.25, "lower quarter"], [0, "smallest share"]];
const MEDIAN = [QUANTILES[2]];

const ABSENT = -1; // the share of a node that was not in the run

// Returns: an array of clusters, each with its name and its nodes.
function groupNodes(run) {
  const clusters = new Map();
  for (const node of run.nodes.values()) {
    if (!clusters.has(node.cluster)) clusters.set(node.cluster, {name: node.cluster, nodes: []});
    clusters.get(node.cluster).nodes.push(node);
  }
  for (const {nodes} of clusters.values()) nodes.sort((a, b) => a.number - b.number);
  return [...clusters.values()].sort((a, b) => a.name.localeCompare(b.name));
}

// Returns: the rows of the map. Each has a label, the nodes that it is about, and a quantile.
function planRows(run) {
  const clusters = groupNodes(run);
  const isLarge = ({nodes}) => nodes.length > MAX_NODES;
  const n = clusters.reduce((sum, c) => sum + (isLarge(c) ? QUANTILES.length : c.nodes.length), 0);
  const quantiles = clusters.length > MAX_CLUSTERS ? MEDIAN : QUANTILES;
  const rows = [];
  for (const cluster of clusters) {
    const name = cluster.name === "" ? "" : `, cluster ${cluster.name}`;
    if (isLarge(cluster) || n > MAX_ROWS)
      for (const [quantile, label] of quantiles)
        rows.push({label: `${label} of ${cluster.nodes.length}${name}`, nodes: cluster.nodes, quantile});
    else
      for (const node of cluster.nodes)
        rows.push({label: `node ${node.number}${name}`, nodes: [node], quantile: 0});
  }
  return rows.slice(0, MAX_MEDIANS);
}

// What the map may show: a share of the time of a node's workers. The figures are the first ones of
// DRAWN, in that order.
const STATES = [
  {label: "in jobs", rest: "not in jobs", color: "--busy", restColor: "--idle"},
  {label: "in the protocol", rest: "in jobs or idle", color: "--protocol", restColor: "--idle"},
  {label: "idle", rest: "not idle", color: "--idle", restColor: "--busy"},
];

function shareOf(bins, node, bin, state) {
  const whole = node.spent.reduce((sum, values) => sum + values[bin], 0);
  if (whole > 0) return Math.min(node.spent[state][bin] / whole, 1);
  const isThere = bins.at(node.joinedUs) <= bin && (node.goneUs === null || bins.at(node.goneUs) >= bin);
  return isThere ? 0 : ABSENT;
}

// Returns: the shares of the nodes that were in the run in this bin, in rising order.
function sortedShares(bins, nodes, bin, buffer) {
  let n = 0;
  for (let i = 0; i < nodes.length; i++) {
    const share = shareOf(bins, nodes[i], bin, heat.state);
    if (share !== ABSENT) buffer[n++] = share;
  }
  return buffer.subarray(0, n).sort();
}

// Fills a bin of all rows. Rows that are about the same nodes follow each other.
function fillBin(bins, rows, bin, buffer) {
  let nodes = null, shares = null;
  for (const row of rows) {
    if (row.nodes !== nodes) {
      nodes = row.nodes;
      shares = sortedShares(bins, nodes, bin, buffer);
    }
    row.shares[bin] = shares.length === 0 ? ABSENT
      : shares[Math.round(row.quantile * (shares.length - 1))];
  }
}

// The rows that were drawn last, the run that they show, how many nodes it had then, and the number
// in STATES of what they show.
const heat = {run: null, rows: [], n: 0, state: 0};

// Returns: the rows with their shares. Computes only bins that have changed since the last call.
function heatRows(run) {
  const {bins} = run;
  const n = bins.count(run.endUs);
  if (heat.n !== run.nodes.size) {
    const old = new Map(heat.rows.map((row) => [row.label, row.shares]));
    heat.rows = planRows(run);
    const isSame = heat.rows.every(({label}) => old.has(label)) && heat.run === run;
    for (const row of heat.rows)
      row.shares = isSame ? old.get(row.label) : new Float32Array(MAX_BINS).fill(ABSENT);
    if (!isSame) bins.changed = 0;
    heat.n = run.nodes.size;
    heat.run = run;
  }
  const buffer = new Float32Array(run.nodes.size);
  // The last bins may also change while a node is in the run and has sent no summary.
  for (let bin = Math.max(Math.min(bins.changed, n - 2), 0); bin < n; bin++)
    fillBin(bins, heat.rows, bin, buffer);
  bins.changed = n;
  return heat.rows;
}

function showHeat(run) {
  const {bins} = run, state = Number(at("heat-state").value);
  if (state !== heat.state) bins.changed = 0;
  heat.state = state;
  const rows = heatRows(run);
  drawHeat(at("heat"), rows, bins, run.endUs, STATES[state]);
  showTable(at("heat-numbers"), ["row", "now", "mean of the run"], () => {
    const n = bins.count(run.endUs);
    return rows.map(({label, shares}) => {
      const there = shares.subarray(0, n).filter((share) => share !== ABSENT);
      const mean = there.length > 0 ? there.reduce((a, b) => a + b, 0) / there.length : ABSENT;
      return [label, formatShare(shares[n - 1]), formatShare(mean)];
    });
  });
}

function formatShare(share) {
  return share === ABSENT ? "not in the run" : formatPercent(share, 1);
}
