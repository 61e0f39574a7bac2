// live.js - follows a run that goes on
//
// SPDX-License-Identifier: Apache-2.0

// The shortest time between two drawings of the page.
const DRAW_MS = 1000;

// The page says that a journal is quiet after QUIET_MS; in a large run, after QUIET_NODE_MS for each
// node. A hub writes summaries of all nodes once a second, or 40 summaries a second in a large run.
const QUIET_MS = 10000, QUIET_NODE_MS = 3 * 1000 / 40;
const quietLimitMs = (run) => Math.max(QUIET_MS, run.nodes.size * QUIET_NODE_MS);

// Takes the events that come after the first @count, and draws the page again. @end: called when the
// run is over
function follow(run, count, end) {
  const source = new EventSource(`events?from=${count}`);
  let isPaused = false, isDue = false, isQuiet = false, lastMs = 0, newsMs = performance.now();

  function say(text, isLost) {
    at("live").hidden = false;
    at("live").classList.toggle("lost", isLost);
    at("live-text").textContent = text;
  }

  function draw() {
    isDue = false;
    if (isPaused) return;
    lastMs = performance.now();
    showAll(run);
  }

  function drawSoon() {
    if (isDue || isPaused) return;
    isDue = true;
    setTimeout(() => requestAnimationFrame(draw), Math.max(0, lastMs + DRAW_MS - performance.now()));
  }

  source.onopen = () => {
    isQuiet = false;
    say("The page follows the run.", false);
  };
  source.onerror = () => say(`The server does not answer. The page shows the run after ${
    formatTime(run.endUs)}.`, true);
  source.onmessage = ({data}) => {
    newsMs = performance.now();
    addEvents(run, JSON.parse(data));
    drawSoon();
    if (isQuiet) source.onopen();
  };
  source.addEventListener("damage", ({data}) => {
    run.damage = JSON.parse(data);
    showDamage(run);
  });
  const watch = setInterval(() => {
    const quietMs = performance.now() - newsMs;
    if (source.readyState !== EventSource.OPEN || quietMs < quietLimitMs(run)) return;
    isQuiet = true;
    say(`The journal has had no news for ${formatTime(Math.floor(quietMs / 1000) * 1e6)}. `
      + "The run stands still, or its hub is lost.", true);
  }, 1000);
  source.addEventListener("end", () => {
    source.close();
    clearInterval(watch);
    isPaused = false;
    draw();
    end();
    say("The run is over.", false);
    at("pause").hidden = true;
  });
  at("pause").addEventListener("click", () => {
    isPaused = !isPaused;
    at("pause").textContent = isPaused ? "Go on" : "Pause";
    at("pause").setAttribute("aria-pressed", isPaused);
    if (!isPaused) draw();
  });
}
