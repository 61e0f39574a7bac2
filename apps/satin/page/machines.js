// machines.js - the machines that the run asked its provisioner for, and what became of them
//
// SPDX-License-Identifier: Apache-2.0

// The table of machines has no more rows than this: the newest.
const MAX_MACHINES = 100;

function sumValues(events, name) {
  return events.reduce((sum, {values}) => sum + (values[name] ?? 0), 0);
}

function showMachines(run) {
  const events = told(run, "machines");
  at("machines-section").hidden = events.length === 0;
  if (events.length === 0) return;
  const [asked, came, refused, gone] = ["asked", "came", "refused", "gone"].map((name) =>
    sumValues(events, name));
  const terms = [["asked for", formatCount(asked)], ["came", formatCount(came)],
    ["refused", formatCount(refused), refused > 0], ["gone again", formatCount(gone)]];
  if (asked > came + refused) terms.push(["not there yet", formatCount(asked - came - refused)]);
  showTerms(at("machine-counts"), terms);
  const table = at("machines");
  if (!table.tHead) fillHead(table, ["at", "what happened"], [1]);
  fillBody(table, events.slice(-MAX_MACHINES).map(({timeUs, text}) => [formatTime(timeUs), text]),
    ["", "text long"]);
  setText(at("machines-listed"), events.length <= MAX_MACHINES ? ""
    : `The newest ${MAX_MACHINES} of ${events.length}.`);
}
