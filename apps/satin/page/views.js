// views.js - fills the sections of the page with what the run says
//
// SPDX-License-Identifier: Apache-2.0

const N_BINS = 200;
// If there are more nodes, a row of the map stands for several nodes of one cluster.
const MAX_ROWS = 64;

const at = (id) => document.getElementById(id);

function formatBegin(run) {
  return run.isSimulated ? "simulated" : new Date(run.beganUs / 1000).toLocaleString();
}

function showTitle(run) {
  at("title").textContent = run.program;
  at("subtitle").textContent = formatBegin(run);
  document.title = run.program + " – Satin";
  at("footer").textContent = "Made by Satin from the run's journal.";
}

function showTiles(run) {
  const busy = run.sum("busy-us"), protocol = run.sum("comm-us"), idle = run.sum("idle-us");
  const died = [...run.nodes.values()].filter((node) => node.state === "died").length;
  const progress = run.progress();
  const tiles = [
    ["time", formatTime(run.endUs)],
    ["state", run.exitStatus === null ? "running" : run.exitStatus === 0 ? "ended well"
      : "ended with status " + run.exitStatus, run.exitStatus > 0],
    ["in jobs", formatPercent(busy, busy + protocol + idle)],
    ["nodes", run.exitStatus === null ? `${run.members()} of ${run.nodes.size}` : `${run.nodes.size}`],
    ["nodes lost", String(died), died > 0],
    ["jobs", formatCount(run.sum("jobs"))],
    ["steals between nodes", formatCount(run.sum("steals.remote"))],
    ["master", run.master === 0 ? "–" : `node ${run.master}, term ${run.term}`],
  ];
  if (progress !== null && run.exitStatus === null)
    tiles.unshift(["done", (progress / 10).toFixed(0) + " %"]);
  at("tiles").replaceChildren(...tiles.map(([name, value, isWarning]) =>
    make("div", isWarning ? {class: "warn"} : {}, make("dt", {}, name), make("dd", {}, value))));
}

function showTime(run) {
  const {bins} = shareBins(run, run.nodes.values(), N_BINS);
  const series = SHARES.map(({name, label, color: c}) => ({label, color: c, bins: bins[name]}));
  const max = Math.max(1, ...series[0].bins.map((_, i) =>
    series.reduce((sum, s) => sum + s.bins[i], 0)));
  drawStack(at("time"), series, run.endUs, max, formatTime);
}

// Returns the rows of the map. Each row is an array: one node, or several nodes of one cluster.
function groupNodes(run) {
  const nodes = [...run.nodes.values()].sort((a, b) =>
    a.cluster.localeCompare(b.cluster) || a.number - b.number);
  const size = Math.ceil(nodes.length / MAX_ROWS);
  const groups = [];
  for (const node of nodes) {
    const group = groups.at(-1);
    if (group && group.length < size && group[0].cluster === node.cluster) group.push(node);
    else groups.push([node]);
  }
  return groups;
}

function labelGroup(group) {
  const cluster = group[0].cluster === "" ? "" : `, cluster ${group[0].cluster}`;
  return (group.length === 1 ? `node ${group[0].number}`
    : `${group.length} nodes from ${group[0].number} on`) + cluster;
}

function showHeat(run) {
  const rows = groupNodes(run).map((group) => {
    const {binUs, bins} = shareBins(run, group, N_BINS);
    const shares = bins.busy.map((busy, i) => {
      const whole = busy + bins.protocol[i] + bins.idle[i];
      const isThere = group.some((node) => node.joinedUs < (i + 1) * binUs
        && (node.goneUs === null || node.goneUs > i * binUs));
      return whole > 0 ? busy / whole : isThere ? 0 : null;
    });
    return {label: labelGroup(group), shares};
  });
  drawHeat(at("heat"), rows, run.endUs);
}

function showCount(run) {
  const changes = [];
  for (const node of run.nodes.values()) {
    changes.push([node.joinedUs, 1]);
    if (node.goneUs !== null) changes.push([node.goneUs, -1]);
  }
  changes.sort((a, b) => a[0] - b[0]);
  let n = 0;
  const points = [[0, 0]];
  for (const [timeUs, by] of changes) points.push([timeUs, n += by]);
  drawLine(at("count"), points, run.endUs, "members over time", true);
}

function showRate(run) {
  const binUs = Math.max(run.endUs, 1) / N_BINS, bins = new Array(N_BINS).fill(0);
  for (const node of run.nodes.values()) run.spread(node, "jobs", bins, binUs);
  const points = bins.map((jobs, i) => [(i + 0.5) * binUs, jobs / binUs * 1e6]);
  drawLine(at("rate"), points, run.endUs, "jobs per second over time", false);
}

// ---- tables ----

// A column of the table: its heading; a function for the value by which it sorts; a function for
// the text, if that is not the value; and whether the text is aligned to the left, as words are.
const COLUMNS = [
  ["node", (n) => n.number],
  ["cluster", (n) => n.cluster, (n) => n.cluster || "–", true],
  ["host", (n) => n.host, (n) => n.host, true],
  ["state", (n) => n.state, (n) => n.state, true],
  ["workers", (n) => n.last.workers ?? 0],
  ["in jobs", (n) => share(n), (n) => share(n) < 0 ? "–" : formatPercent(share(n), 1)],
  ["busy", (n) => n.last["busy-us"] ?? 0, (n) => formatTime(n.last["busy-us"] ?? 0)],
  ["protocol", (n) => n.last["comm-us"] ?? 0, (n) => formatTime(n.last["comm-us"] ?? 0)],
  ["idle", (n) => n.last["idle-us"] ?? 0, (n) => formatTime(n.last["idle-us"] ?? 0)],
  ["jobs", (n) => n.last.jobs ?? 0, (n) => formatCount(n.last.jobs ?? 0)],
  ["memory", (n) => n.last["memory-bytes"] ?? 0, (n) => formatMemory(n)],
  ["steals", (n) => n.last["steals.remote"] ?? 0],
  ["tried", (n) => n.last["steals.remote-tried"] ?? 0],
  ["given", (n) => n.last["steals.given"] ?? 0],
];
// A node's memory, and how much of its limit that is.
function formatMemory(node) {
  const bytes = node.last["memory-bytes"] ?? 0, limit = node.last["memory-limit-bytes"] ?? 0;
  return formatCount(bytes) + "B" + (limit > 0 ? ` (${formatPercent(bytes, limit)})` : "");
}

const sorting = {column: 0, isDown: false};

function share(node) {
  const busy = node.last["busy-us"] ?? 0;
  const whole = busy + (node.last["comm-us"] ?? 0) + (node.last["idle-us"] ?? 0);
  return whole > 0 ? busy / whole : -1;
}

function makeHead(run, [head, , , isWord], index) {
  const button = make("button", {type: "button"}, head);
  const order = sorting.column !== index ? "none" : sorting.isDown ? "descending" : "ascending";
  button.addEventListener("click", () => {
    sorting.isDown = sorting.column === index && !sorting.isDown;
    sorting.column = index;
    showNodes(run);
    at("nodes").querySelectorAll("button")[index].focus();
  });
  return make("th", {scope: "col", "aria-sort": order, class: isWord ? "text" : ""}, button);
}

function showNodes(run) {
  const key = COLUMNS[sorting.column][1];
  const nodes = [...run.nodes.values()].sort((a, b) => {
    const x = key(a), y = key(b);
    const order = typeof x === "string" ? x.localeCompare(y) : x - y;
    return (sorting.isDown ? -order : order) || a.number - b.number;
  });
  const head = make("thead", {}, make("tr", {}, ...COLUMNS.map((c, i) => makeHead(run, c, i))));
  const rows = nodes.map((node) => make("tr", {}, ...COLUMNS.map(([, value, text, isWord]) =>
    make("td", isWord ? {class: "text"} : {}, text ? text(node) : String(value(node))))));
  at("nodes").replaceChildren(head, make("tbody", {}, ...rows));
}

const FIGURES = [
  ["Stealing", /^steals\./], ["Losses and recovery", /^(recovery|ft)\./],
  ["Checkpoint", /^checkpoint\./], ["Shared objects", /^objects\./],
  ["Network", /^net\./], ["Adaptation", /^adapt\./],
];

function showFigures(run) {
  const names = new Set();
  for (const node of run.nodes.values()) for (const name of Object.keys(node.last)) names.add(name);
  const blocks = [];
  for (const [title, pattern] of FIGURES) {
    const rows = [...names].filter((name) => pattern.test(name) && run.sum(name) !== 0).sort();
    if (rows.length === 0) continue;
    const table = make("table", {}, make("tbody", {}, ...rows.map((name) => make("tr", {},
      make("td", {class: "text"}, name), make("td", {}, formatFigure(name, run.sum(name)))))));
    blocks.push(make("details", {open: ""}, make("summary", {}, title), table));
  }
  at("figures").replaceChildren(...blocks);
}

function formatFigure(name, value) {
  return name.endsWith("-us") ? formatTime(value) : value.toLocaleString();
}

function showEvents(run) {
  const wanted = at("filter").value.toLowerCase();
  const rows = [];
  for (const event of run.events) {
    const node = event.number === 0 ? "run" : "node " + event.number;
    const values = Object.entries(event.values).map(([name, value]) => `${name} ${value}`).join(", ");
    const words = [node, event.kind, event.text, values];
    if (!words.join(" ").toLowerCase().includes(wanted)) continue;
    rows.push(make("tr", {}, make("td", {}, formatTime(event.timeUs)),
      ...words.map((word, i) => make("td", {class: i < 2 ? "text" : "text long"}, word))));
  }
  at("events").replaceChildren(make("tbody", {}, ...rows.slice(-1000)));
}

// ---- two runs ----

// What two runs are compared by: a name, a value of a run, and the text of a value.
const COMPARED = [
  ["time", (r) => r.endUs, formatTime],
  ["share of time in jobs", (r) => shareOfRun(r), (v) => formatPercent(v, 1)],
  ["nodes", (r) => r.nodes.size, String],
  ["nodes lost", (r) => [...r.nodes.values()].filter((n) => n.state === "died").length, String],
  ["jobs per second", (r) => r.sum("jobs") / Math.max(r.endUs, 1) * 1e6, formatCount],
];

function shareOfRun(run) {
  const busy = run.sum("busy-us");
  const whole = busy + run.sum("comm-us") + run.sum("idle-us");
  return whole > 0 ? busy / whole : 0;
}

function showComparison(run, other) {
  const names = new Set();
  for (const r of [run, other])
    for (const node of r.nodes.values())
      for (const name of Object.keys(node.last)) if (r.sum(name) !== 0) names.add(name);
  const rows = [...COMPARED, ...[...names].sort().map((name) =>
    [name, (r) => r.sum(name), (v) => formatFigure(name, v)])];
  const head = ["", "this run", "the other", "ratio"];
  at("comparison").hidden = false;
  at("other").textContent = `The other run is ${other.program}, ${formatBegin(other)}.`;
  at("compared").replaceChildren(
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", {scope: "col"}, text)))),
    make("tbody", {}, ...rows.map(([name, value, format]) => {
      const x = value(run), y = value(other);
      return make("tr", {}, make("th", {class: "text", scope: "row"}, name),
        make("td", {}, format(x)), make("td", {}, format(y)),
        make("td", {}, y !== 0 ? (x / y).toFixed(2) : "–"));
    })));
}

function showAll(run) {
  showTitle(run);
  for (const show of [showTiles, showTime, showHeat, showCount, showRate, showNodes, showFigures,
    showEvents]) show(run);
}
