// model.js - what the events of a journal say about a run
//
// SPDX-License-Identifier: Apache-2.0

// The states of nodes that are no longer in the run.
const GONE = ["left", "died"];

// How many summaries of a node are kept.
const MAX_POINTS = 2000;

class Run {
  constructor() {
    this.program = "";
    this.beganUs = 0;
    this.isSimulated = false;
    this.endUs = 0; // the time of the last event
    this.exitStatus = null; // null: the run has not ended
    this.message = "";
    this.nodes = new Map(); // number to node
    this.events = []; // all but summaries
    this.master = 0;
    this.term = 0;
  }

  node(number, timeUs) {
    let node = this.nodes.get(number);
    if (!node) {
      node = {number, cluster: "", host: "", pid: 0, state: "", joinedUs: timeUs, goneUs: null,
        points: [{timeUs, values: {}}], last: {}};
      this.nodes.set(number, node);
    }
    return node;
  }

  // Makes room when a node has many summaries: joins each two neighbours.
  thin(node) {
    const joined = [node.points[0]];
    for (let i = 1; i < node.points.length; i += 2) {
      const [first, second] = [node.points[i], node.points[i + 1] ?? node.points[i]];
      joined.push({timeUs: second.timeUs, values: {...first.values, ...second.values}});
    }
    node.points = joined;
  }

  // Takes the next event of the journal: [time_us, node, kind, text, values].
  add([timeUs, number, kind, text, values]) {
    this.endUs = Math.max(this.endUs, timeUs);
    const node = number === 0 ? null : this.node(number, timeUs);
    if (kind === "summary") {
      Object.assign(node.last, values);
      node.points.push({timeUs, values});
      if (node.points.length > MAX_POINTS) this.thin(node);
      return;
    }
    this.events.push({timeUs, number, kind, text, values});
    if (kind === "run") {
      this.program = text;
      this.beganUs = values.began_us ?? 0;
      this.isSimulated = values.is_simulated === 1;
    } else if (kind === "end") {
      this.exitStatus = values.exit_status ?? 0;
      this.message = text;
    } else if (kind === "joined" && node) {
      const space = text.indexOf(" ");
      node.cluster = text.slice(0, Math.max(space, 0));
      node.host = text.slice(space + 1);
      node.pid = values.pid ?? 0;
    } else if (kind === "state" && node) {
      node.state = text;
      node.goneUs = GONE.includes(text) ? timeUs : null;
    } else if (kind === "master" && node) {
      this.master = number;
      this.term = values.term ?? 0;
    }
  }

  sum(name) {
    let sum = 0;
    for (const node of this.nodes.values()) sum += node.last[name] ?? 0;
    return sum;
  }

  progress() {
    const node = this.nodes.get(this.master);
    return node?.last["progress-permille"] ?? null;
  }

  members() {
    let n = 0;
    for (const node of this.nodes.values()) n += node.goneUs === null;
    return n;
  }

  // Adds the growth of a node's figure to the bins. What a figure has grown between two summaries
  // is spread evenly over the time between them.
  spread(node, name, bins, binUs) {
    let before = 0, beforeUs = node.points[0].timeUs;
    for (const {timeUs, values} of node.points) {
      const value = values[name];
      if (value === undefined) continue;
      addSpan(bins, binUs, beforeUs, timeUs, value - before);
      before = value;
      beforeUs = timeUs;
    }
  }
}

// Spreads @amount evenly over the time from @beginUs to @endUs, and adds to each bin its share.
function addSpan(bins, binUs, beginUs, endUs, amount) {
  const last = bins.length - 1;
  if (endUs <= beginUs) {
    bins[Math.min(Math.floor(endUs / binUs), last)] += amount;
    return;
  }
  // Goes by the number of the bin. A sum of times is rounded, and might never reach the end of a
  // bin.
  for (let bin = Math.min(Math.floor(beginUs / binUs), last); bin <= last; bin++) {
    const fromUs = Math.max(beginUs, bin * binUs);
    const untilUs = bin === last ? endUs : Math.min((bin + 1) * binUs, endUs);
    if (fromUs >= endUs) break;
    if (untilUs > fromUs) bins[bin] += amount * (untilUs - fromUs) / (endUs - beginUs);
  }
}

// How workers spend their time.
const SHARES = [
  {name: "busy", label: "in jobs", color: "--busy"},
  {name: "protocol", label: "protocol", color: "--protocol"},
  {name: "idle", label: "idle", color: "--idle"},
];

// Returns how the workers of @nodes spent their time: for each name in SHARES an array of @nBins
// bins, in microseconds; and the length of a bin.
function shareBins(run, nodes, nBins) {
  const binUs = Math.max(run.endUs, 1) / nBins;
  const bins = {busy: new Array(nBins).fill(0), protocol: new Array(nBins).fill(0),
    idle: new Array(nBins).fill(0)};
  for (const node of nodes) {
    run.spread(node, "busy-us", bins.busy, binUs);
    run.spread(node, "comm-us", bins.protocol, binUs);
    run.spread(node, "idle-us", bins.idle, binUs);
  }
  return {binUs, bins};
}
