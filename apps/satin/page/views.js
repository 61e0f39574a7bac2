// views.js - fills the sections of the page with what the run says
//
// SPDX-License-Identifier: Apache-2.0

// The table of nodes has no more rows than this.
const MAX_LISTED = 100;
// The table of events has no more rows than this.
const MAX_EVENTS = 1000;
// A table of numbers below a picture has about so many rows, and at most twice as many.
const MAX_NUMBERS = 20;

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

function showDamage(run) {
  at("damage").hidden = run.damage === "";
  setText(at("damage"), `${run.damage}; the page shows the run up to there.`);
}

function showTiles(run) {
  const busy = run.sum("busy-us"), protocol = run.sum("comm-us"), idle = run.sum("idle-us");
  const died = run.lost(), warnings = run.warnings();
  const progress = run.progress();
  const left = run.forecast.left(run.endUs), now = run.busyNow(), isLive = run.exitStatus === null;
  const tiles = [
    ["time", formatTime(run.endUs)],
    ["state", isLive ? "running" : run.exitStatus === 0 ? "ended well"
      : "ended with status " + run.exitStatus, run.exitStatus > 0],
    ["in jobs", formatPercent(busy, busy + protocol + idle)],
    ["nodes", isLive ? `${run.members()} of ${run.nodes.size}` : `${run.nodes.size}`],
    ["nodes lost", String(died), died > 0],
    ["warnings", String(warnings), warnings > 0],
    ["jobs", formatCount(run.sum("jobs"))],
    ["steals between nodes", formatCount(run.sum("steals.remote"))],
    ["master", run.master === 0 ? "–" : `node ${run.master}, term ${run.term}`],
  ];
  if (run.savedUs !== null && run.exitStatus !== 0)
    tiles.push(["last checkpoint", formatTime(run.endUs - run.savedUs) + " ago"],
      ["work since then", "about " + formatTime(run.busySince(run.savedUs))]);
  if (isLive && now !== null) tiles.splice(3, 0, ["in jobs now", formatPercent(now, 1)]);
  if (isLive && left !== null) tiles.unshift(["time left", formatRange(...left)]);
  if (isLive && progress !== null)
    tiles.unshift(["done", (progress / 10).toFixed(0) + " %"]);
  showTerms(at("tiles"), tiles);
}

// Shows what the user was told last, while the run goes on.
function showNote(run) {
  const note = run.exitStatus === null ? run.lastNote() : null;
  at("note").hidden = note === null;
  if (note === null) return;
  const isWarning = note.values.is_warning === 1;
  at("note").classList.toggle("warn", isWarning);
  setText(at("note"), `At ${formatTime(note.timeUs)}${isWarning ? ", a warning" : ""}: ${note.text}`);
}

// Returns: about MAX_NUMBERS rows, in order of time: the mean of each of @series over some bins.
function sampleBins(run, series, format) {
  const {bins} = run, n = bins.count(run.endUs), step = Math.ceil(n / MAX_NUMBERS);
  const rows = [];
  for (let bin = 0; bin < n; bin += step) {
    const span = series.map((values) => values.slice(bin, Math.min(bin + step, n)));
    rows.push([formatTime(bin * bins.widthUs), ...span.map((values) =>
      format(values.reduce((a, b) => a + b, 0) / values.length))]);
  }
  return rows;
}

// Returns: the growth of a figure in each bin, divided by the bin's length.
function rates(run, name) {
  const n = run.bins.count(run.endUs), index = DRAWN.indexOf(name);
  return Array.from({length: n}, (_, bin) => run.grown[index][bin] / run.bins.lengthUs(bin, run.endUs));
}

// Returns: rates() of the time that went into jobs that are done again. A node reports this time when
// such a job ends. So what is more than all the time in jobs of a bin belongs to the bins before it.
function againRates(run) {
  const [busy, again] = ["busy-us", AGAIN].map((name) => run.grown[DRAWN.indexOf(name)]);
  const values = new Array(run.bins.count(run.endUs));
  let left = 0;
  for (let bin = values.length - 1; bin >= 0; bin--) {
    left += again[bin];
    const here = Math.min(left, busy[bin]);
    left -= here;
    values[bin] = here / run.bins.lengthUs(bin, run.endUs);
  }
  return values;
}

function shareRates(run, {name}) {
  if (name === AGAIN) return againRates(run);
  const values = rates(run, name);
  if (name !== "busy-us") return values;
  const again = againRates(run);
  return values.map((value, i) => Math.max(value - again[i], 0));
}

function showTime(run) {
  const series = SHARES.map((share) => ({...share, values: shareRates(run, share)}));
  const max = Math.max(1, ...series[0].values.map((_, i) =>
    series.reduce((sum, s) => sum + s.values[i], 0)));
  drawStack(at("time"), series, run.bins, run.endUs, max, formatCount);
  showTable(at("time-numbers"), ["from", ...SHARES.map((s) => s.label)], () =>
    sampleBins(run, series.map((s) => s.values), (value) => value.toFixed(2)));
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
  for (const [timeUs, by] of changes) {
    n += by;
    // Of changes that are too close for the picture, only the last one stays.
    if (points.length > 1 && timeUs - points.at(-1)[0] < run.endUs / 1000) points.at(-1)[1] = n;
    else points.push([timeUs, n]);
  }
  drawLine(at("count"), points, run.endUs, "members over time", true);
  showTable(at("count-numbers"), ["from", "members"], () =>
    points.slice(-2 * MAX_NUMBERS).map(([timeUs, members]) => [formatTime(timeUs), String(members)]));
}

function showRate(run) {
  const values = rates(run, "jobs").map((jobs) => jobs * 1e6);
  const points = values.map((rate, bin) => [(bin + 0.5) * run.bins.widthUs, rate]);
  drawLine(at("rate"), points, run.endUs, "jobs per second over time", false);
  showTable(at("rate-numbers"), ["from", "jobs per second"], () =>
    sampleBins(run, [values], formatCount));
}

// ---- tables ----

// A column of the table of nodes: its heading; a function for the value by which it sorts; a
// function for the text, if that is not the value; and whether the text is aligned to the left, as
// words are. Both functions get the node and the run.
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
  ["done again", (n) => n.last["ft.again-us"] ?? 0, (n) => formatTime(n.last["ft.again-us"] ?? 0)],
  ["near overdue", (n) => overdue(n, "near"), (n) => formatPercent(overdue(n, "near"), 1)],
  ["far overdue", (n) => overdue(n, "far"), (n) => formatPercent(overdue(n, "far"), 1)],
  ["jobs", (n) => n.last.jobs ?? 0, (n) => formatCount(n.last.jobs ?? 0)],
  ["memory", (n) => n.last["memory-bytes"] ?? 0, (n) => formatMemory(n)],
  ["steals", (n) => n.last["steals.remote"] ?? 0],
  ["tried", (n) => n.last["steals.remote-tried"] ?? 0],
  ["given", (n) => n.last["steals.given"] ?? 0],
  ["jobs/s", jobsRate, (n, run) => formatCount(jobsRate(n, run))],
  ["heard", heardUs, (n, run) => heardUs(n, run) < 0 ? "–" : formatTime(heardUs(n, run)) + " ago"],
];

// A node's jobs per second: now; or the mean, if the run has ended or the node has gone.
function jobsRate(node, run) {
  return run.exitStatus === null && node.goneUs === null ? node.jobsRate
    : (node.last.jobs ?? 0) / Math.max(node.drawnUs - node.joinedUs, 1) * 1e6;
}

// The share of a node's time in which an answer from its own cluster ("near"), or from another one
// ("far"), was overdue.
function overdue(node, where) {
  return Math.min((node.last[`overdue-${where}-us`] ?? 0) / Math.max(node.drawnUs - node.joinedUs, 1), 1);
}

// How old a member's figures are; -1 if the node is no longer a member, or the run has ended.
function heardUs(node, run) {
  return run.exitStatus === null && node.goneUs === null ? run.endUs - node.drawnUs : -1;
}

// A node's memory, and how much of its limit that is.
function formatMemory(node) {
  const bytes = node.last["memory-bytes"] ?? 0, limit = node.last["memory-limit-bytes"] ?? 0;
  return formatBytes(bytes) + (limit > 0 ? ` (${formatPercent(bytes, limit)})` : "");
}

const sorting = {column: 0, isDown: false};

function share(node) {
  const busy = node.last["busy-us"] ?? 0;
  const whole = busy + (node.last["comm-us"] ?? 0) + (node.last["idle-us"] ?? 0);
  return whole > 0 ? busy / whole : -1;
}

function sortBy(run, index) {
  sorting.isDown = sorting.column === index && !sorting.isDown;
  sorting.column = index;
  showNodes(run);
}

function makeHead(run) {
  return make("thead", {}, make("tr", {}, ...COLUMNS.map(([head, , , isWord], index) => {
    const button = make("button", {type: "button"}, head);
    button.addEventListener("click", () => sortBy(run, index));
    return make("th", {scope: "col", class: isWord ? "text" : ""}, button);
  })));
}

const textsOf = (node, run) => COLUMNS.map(([, value, text]) =>
  text ? text(node, run) : String(value(node, run)));

// Whether the filter of nodes lets a node pass: by its number, cluster, host or state.
function isWanted(node, wanted) {
  return wanted === "" || `node ${node.number} ${node.cluster} ${node.host} ${node.state}`
    .toLowerCase().includes(wanted);
}

function showNodes(run) {
  const table = at("nodes"), key = COLUMNS[sorting.column][1];
  if (!table.tHead) table.append(makeHead(run));
  [...table.tHead.rows[0].cells].forEach((cell, i) => cell.setAttribute("aria-sort",
    sorting.column !== i ? "none" : sorting.isDown ? "descending" : "ascending"));
  const wanted = at("node-filter").value.toLowerCase();
  const keys = [...run.nodes.values()].filter((node) => isWanted(node, wanted))
    .map((node) => ({node, key: key(node, run)}));
  keys.sort(({node: a, key: x}, {node: b, key: y}) => {
    const order = typeof x === "string" ? x.localeCompare(y) : x - y;
    return (sorting.isDown ? -order : order) || a.number - b.number;
  });
  const listed = keys.slice(0, MAX_LISTED);
  fillBody(table, listed.map(({node}) => textsOf(node, run)), COLUMNS.map((c) => c[3] ? "text" : ""));
  setText(at("nodes-listed"), listed.length === run.nodes.size ? ""
    : `${listed.length} of ${run.nodes.size} nodes. Sort by another column or filter to see others.`);
}

const FIGURES = [
  ["Stealing", /^steals\./], ["Losses and recovery", /^(recovery|ft)\./],
  ["Checkpoint", /^checkpoint\./], ["Shared objects", /^objects\./],
  ["Network", /^net\./], ["Adaptation", /^adapt\./],
];

function showFigures(run) {
  for (const [title, pattern] of FIGURES) {
    const names = [...run.sums.keys()].filter((name) => pattern.test(name) && run.sum(name) !== 0);
    if (names.length === 0) continue;
    const id = "figures-" + title.toLowerCase().replaceAll(" ", "-");
    if (!at(id))
      at("figures").append(make("details", {open: ""}, make("summary", {}, title),
        make("table", {id})));
    fillBody(at(id), names.sort().map((name) => [name, formatFigure(name, run.sum(name))]), ["text"]);
  }
}

function formatFigure(name, value) {
  return name.endsWith("-us") ? formatTime(value) : value.toLocaleString();
}

function wordsOf({timeUs, number, kind, text, values}) {
  const node = number === 0 ? "run" : "node " + number;
  return [formatTime(timeUs), node, values.is_warning === 1 ? "warning" : kind, text,
    Object.entries(values).map(([name, value]) => `${name} ${value}`).join(", ")];
}

// The number of events, and the filter, for which the table of events was filled.
const listed = {n: -1, wanted: ""};

function showEvents(run) {
  const wanted = at("filter").value.toLowerCase();
  if (listed.n === run.events.length && listed.wanted === wanted) return;
  Object.assign(listed, {n: run.events.length, wanted});
  const rows = [];
  for (let i = run.events.length - 1; i >= 0 && rows.length < MAX_EVENTS; i--) {
    const words = wordsOf(run.events[i]);
    if (words.slice(1).join(" ").toLowerCase().includes(wanted)) rows.unshift(words);
  }
  fillBody(at("events"), rows, ["", "text", "text", "text long", "text long"]);
}

function showTables(run) {
  showNodes(run);
  showEvents(run);
}

// ---- two runs ----

// What two runs are compared by: a name, a function for the value of a run, and one for its text.
const COMPARED = [
  ["time", (r) => r.endUs, formatTime],
  ["share of time in jobs", (r) => shareOfRun(r), (v) => formatPercent(v, 1)],
  ["nodes", (r) => r.nodes.size, String],
  ["nodes lost", (r) => r.lost(), String],
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
    for (const name of r.sums.keys())
      if (r.sum(name) !== 0 && !STEALS_FROM.test(name) && !JOBS_TAKEN.test(name)) names.add(name);
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
  showDamage(run);
  for (const show of [showTiles, showNote, showTime, showHeat, showCount, showRate, showSteals,
    showLosses, showLongest, showBounds, showDecisions, showMachines, showNodes, showFigures, showEvents]) show(run);
}
