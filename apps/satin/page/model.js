// model.js - what the events of a journal say about a run
//
// SPDX-License-Identifier: Apache-2.0

// The states of nodes that are no longer in the run.
const GONE = ["left", "died"];

// The figures that pictures show over time. history.c has the same.
const DRAWN = ["busy-us", "comm-us", "idle-us", "jobs", "ft.again-us", "checkpoint.writes"];
const WRITES = DRAWN.indexOf("checkpoint.writes");

// The first N_WHOLE figures of DRAWN together are the whole time of the workers.
const N_WHOLE = 3;

const JOBS = DRAWN.indexOf("jobs");

// busyNow() is about the time of this length before the last event, or about the last two bins if
// they are longer.
const NOW_US = 5e6;

const AGAIN = "ft.again-us";

// How workers spend their time: the growth of one figure of DRAWN. Jobs that are done again do not
// count as "in jobs".
const SHARES = [
  {label: "in jobs", color: "--busy", name: "busy-us"},
  {label: "in jobs that are done again", color: "--redone", name: AGAIN},
  {label: "protocol", color: "--protocol", name: "comm-us"},
  {label: "idle", color: "--idle", name: "idle-us"},
];

class Run {
  constructor() {
    this.program = "";
    this.beganUs = 0;
    this.isSimulated = false;
    this.endUs = 0; // the time of the last event
    this.exitStatus = null; // null: the run has not ended
    this.message = "";
    this.damage = ""; // why the journal ends early
    this.nodes = new Map(); // number to node
    this.sums = new Map(); // name of a figure to its sum over all nodes
    this.events = []; // all but summaries
    this.master = 0;
    this.term = 0;
    this.bins = new Bins();
    this.grown = DRAWN.map(() => this.bins.newArray()); // the growth of all nodes
    this.forecast = new Forecast();
    this.savedUs = null; // the time of the last write of the checkpoint
  }

  node(number, timeUs) {
    let node = this.nodes.get(number);
    if (!node) {
      node = {number, cluster: "", host: "", pid: 0, state: "", joinedUs: timeUs, goneUs: null,
        last: {}, drawnUs: timeUs, drawn: DRAWN.map(() => 0), jobsRate: 0,
        spent: Array.from({length: N_WHOLE}, () => this.bins.newArray())};
      this.nodes.set(number, node);
    }
    return node;
  }

  // Takes the values that the figures of DRAWN had on a node at @timeUs.
  grow(node, timeUs, values) {
    this.reach(timeUs);
    if (timeUs > node.drawnUs)
      node.jobsRate = (values[JOBS] - node.drawn[JOBS]) / (timeUs - node.drawnUs) * 1e6;
    for (let i = 0; i < DRAWN.length; i++) {
      const amount = values[i] - node.drawn[i];
      if (amount === 0) continue;
      this.bins.add(this.grown[i], node.drawnUs, timeUs, amount);
      if (i === WRITES) this.savedUs = Math.max(this.savedUs ?? 0, timeUs);
      if (i < N_WHOLE) this.bins.add(node.spent[i], node.drawnUs, timeUs, amount);
      node.drawn[i] = values[i];
    }
    node.drawnUs = timeUs;
  }

  reach(timeUs) {
    if (timeUs <= this.endUs) return;
    this.endUs = timeUs;
    this.bins.reach(timeUs);
  }

  // Takes new values of a node's figures.
  setLast(node, values) {
    for (const [name, value] of Object.entries(values)) {
      this.sums.set(name, (this.sums.get(name) ?? 0) + value - (node.last[name] ?? 0));
      node.last[name] = value;
    }
  }

  // Takes an event: [time_us, node, kind, text, values].
  add([timeUs, number, kind, text, values]) {
    this.reach(timeUs);
    const node = number === 0 ? null : this.node(number, timeUs);
    if (kind === "summary") {
      this.setLast(node, values);
      this.grow(node, timeUs, DRAWN.map((name) => node.last[name] ?? 0));
      if (number === this.master) this.forecast.add(timeUs, this.progress() ?? 0);
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
    } else if (node) this.addOfNode(node, timeUs, kind, text, values);
  }

  addOfNode(node, timeUs, kind, text, values) {
    if (kind === "joined") {
      const space = text.indexOf(" ");
      node.cluster = text.slice(0, Math.max(space, 0));
      node.host = text.slice(space + 1);
      node.pid = values.pid ?? 0;
      this.bins.touch(timeUs);
    } else if (kind === "state") {
      node.state = text;
      node.goneUs = GONE.includes(text) ? timeUs : null;
      this.bins.touch(timeUs);
    } else if (kind === "master") {
      this.master = node.number;
      this.term = values.term ?? 0;
      this.forecast.begin(timeUs);
    }
  }

  // Takes the points of a node: for each, the time and the values of DRAWN, as differences to the
  // point before.
  addPoints(number, last, points) {
    const node = this.node(number, 0);
    const values = DRAWN.map(() => 0);
    let timeUs = 0;
    this.setLast(node, last);
    for (let i = 0; i < points.length; i += 1 + DRAWN.length) {
      timeUs += points[i];
      for (let j = 0; j < DRAWN.length; j++) values[j] += points[i + 1 + j];
      this.grow(node, timeUs, values);
    }
  }

  sum(name) {
    return this.sums.get(name) ?? 0;
  }

  // Returns: about how much time of the workers has gone into jobs since @timeUs, microseconds.
  busySince(timeUs) {
    const first = this.bins.at(timeUs), end = (first + 1) * this.bins.widthUs;
    const share = (Math.min(end, this.endUs) - timeUs) / this.bins.lengthUs(first, this.endUs);
    return this.grown[0].subarray(first + 1).reduce((a, b) => a + b, share * this.grown[0][first]);
  }

  // Returns: the share of the workers' time that goes into jobs now, or null if it is not known.
  busyNow() {
    const n = this.bins.count(this.endUs);
    const first = Math.min(this.bins.at(Math.max(this.endUs - NOW_US, 0)), Math.max(n - 2, 0));
    const [busy, ...others] = this.grown.slice(0, N_WHOLE).map((values) =>
      values.subarray(first, n).reduce((a, b) => a + b, 0));
    const whole = others.reduce((a, b) => a + b, busy);
    return whole > 0 ? busy / whole : null;
  }

  // Returns: how many notes are warnings. In an older journal, none is marked as a warning.
  warnings() {
    return this.events.reduce((n, {kind, values}) => n + (kind === "note" && values.is_warning === 1), 0);
  }

  // Returns: what the user was told last, or null.
  lastNote() {
    return this.events.findLast(({kind}) => kind === "note") ?? null;
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

  lost() {
    let n = 0;
    for (const node of this.nodes.values()) n += node.state === "died";
    return n;
  }
}

// Makes an object from an array of pairs: the number of a name, and a value.
function nameValues(names, pairs) {
  const values = {};
  for (let i = 0; i < pairs.length; i += 2) values[names[pairs[i]]] = pairs[i + 1];
  return values;
}

// Adds events in which numbers stand for names.
function addEvents(run, {names, events}) {
  for (const [timeUs, node, kind, text, values] of events)
    run.add([timeUs, node, names[kind], text, nameValues(names, values)]);
}

// Makes a run from the JSON that apps/satin/page/history.h describes.
function readRun(data) {
  const run = new Run();
  run.reach(data.end_us);
  addEvents(run, data);
  for (const [number, last, points] of data.nodes)
    run.addPoints(number, nameValues(data.names, last), points);
  run.forecast.add(run.endUs, run.progress() ?? 0);
  run.damage = data.damage ?? "";
  return run;
}
