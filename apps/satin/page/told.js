// told.js - events that nodes have sent: long jobs, better bounds, decisions of the adaptation
//
// SPDX-License-Identifier: Apache-2.0

// The most rows in the table of jobs and in the table of decisions, and the most bounds that get a
// picture.
const MAX_LONGEST = 20, MAX_DECISIONS = 100, MAX_BOUNDS = 4;

const JOBS_TAKEN = /^jobs-taken\.within-(\d+)$/;

// Returns: the time, microseconds, within which half of the jobs ran that nodes took from others.
function medianOfJobs(run) {
  const within = new Map();
  for (const node of run.nodes.values())
    for (const [name, value] of Object.entries(node.last)) {
      const time = +(JOBS_TAKEN.exec(name)?.[1] ?? 0);
      if (time) within.set(time, (within.get(time) ?? 0) + value);
    }
  return quantile(within, 0.5);
}

const told = (run, kind) => run.events.filter((event) => event.kind === kind);

function showLongest(run) {
  const jobs = told(run, "long-job").sort((a, b) => b.values.ran_us - a.values.ran_us);
  at("longest-section").hidden = jobs.length === 0;
  if (jobs.length === 0) return;
  const table = at("longest"), median = medianOfJobs(run);
  if (!table.tHead)
    fillHead(table, ["ran", "of the run's time", "times the median, at least", "node", "ended at",
      "job"], [5]);
  fillBody(table, jobs.slice(0, MAX_LONGEST).map(({timeUs, number, text, values}) =>
    [formatTime(values.ran_us), formatPercent(values.ran_us, run.endUs),
      median > 0 ? formatCount(Math.floor(values.ran_us / median)) : "–", String(number),
      formatTime(timeUs), text]), ["", "", "", "", "", "text long"]);
}

// Returns: a picture with the numbers that belong to it.
function takePicture(place, i, label) {
  if (!place.children[i])
    place.append(make("div", {}, make("div", {class: "chart"}), make("details", {},
      make("summary", {}, "Numbers"), make("div", {class: "wide", tabindex: "0", role: "region",
        "aria-label": label + ", numbers"}, make("table")))));
  return place.children[i].children;
}

// ---- bounds ----

// Returns: a map from the id of a shared object to its events, in order of time.
function groupBounds(run) {
  const bounds = new Map();
  for (const event of told(run, "bound"))
    getOrMake(bounds, event.values.object, () => []).push(event);
  return bounds;
}

function showBounds(run) {
  const bounds = [...groupBounds(run).values()].slice(0, MAX_BOUNDS);
  at("bounds-section").hidden = bounds.length === 0;
  bounds.forEach((events, i) => {
    const label = `shared ${events[0].text} over time`;
    const [chart, details] = takePicture(at("bounds"), i, label);
    const points = events.map(({timeUs, values}) => [timeUs, values.value]);
    drawLine(chart, points, run.endUs, label, true, leastOf(points));
    showTable(details, ["at", events[0].text, "found by node"], () => events.slice(-2 * MAX_NUMBERS)
      .map(({timeUs, number, values}) =>
        [formatTime(timeUs), values.value.toLocaleString(), String(number)]));
  });
}

// Returns: the value at the bottom of a picture, so that small changes of large values can be seen.
function leastOf(points) {
  const least = points.reduce((a, p) => Math.min(a, p[1]), Infinity);
  const most = points.reduce((a, p) => Math.max(a, p[1]), -Infinity);
  return least > 0 && least < most / 2 ? 0 : least - Math.max((most - least) / 10, 1);
}

// ---- decisions ----

const isChange = ({values}) => values.asked > 0 || values.removed > 0;
const formatEfficiency = ({values}) => (values.efficiency_permille / 1000).toFixed(2);

// Returns: a row for each decision that asked for machines or sent nodes away. Its last two columns
// show what came of it: what the coordinator saw at the next such decision, or in the last period.
function rowsOfDecisions(decisions) {
  const changes = decisions.flatMap((decision, i) => isChange(decision) ? [i] : []);
  return changes.slice(-MAX_DECISIONS).map((i) => {
    const next = decisions.findIndex((decision, j) => j > i && isChange(decision));
    const last = decisions[next < 0 ? decisions.length - 1 : next];
    return [formatTime(decisions[i].timeUs), decisions[i].text, formatEfficiency(decisions[i]),
      last === decisions[i] ? "–" : formatEfficiency(last),
      last === decisions[i] ? "–" : String(last.values.nodes)];
  });
}

function showDecisions(run) {
  const decisions = told(run, "decision");
  at("decisions-section").hidden = decisions.length === 0;
  if (decisions.length === 0) return;
  const points = decisions.map(({timeUs, values}) => [timeUs, values.efficiency_permille / 1000]);
  const [chart, details] = takePicture(at("efficiency"), 0, "efficiency over time");
  drawLine(chart, points, run.endUs, "efficiency over time", true);
  showTable(details, ["at", "efficiency", "nodes"], () => decisions.slice(-2 * MAX_NUMBERS)
    .map((decision) => [formatTime(decision.timeUs), formatEfficiency(decision),
      String(decision.values.nodes)]));
  const table = at("decisions");
  if (!table.tHead)
    fillHead(table, ["at", "seen and decided", "efficiency", "efficiency then", "nodes then"],
      [1]);
  fillBody(table, rowsOfDecisions(decisions), ["", "text long"]);
}
