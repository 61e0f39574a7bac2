// live.js - follows a run that goes on
//
// SPDX-License-Identifier: Apache-2.0

// The page is drawn again at most so often.
const DRAW_MS = 1000;

// Takes the events that come after the first @count, and draws the page again.
function follow(run, count) {
  const source = new EventSource(`events?from=${count}`);
  let isPaused = false, isDue = false, lastMs = 0;

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

  source.onopen = () => say("The page follows the run.", false);
  source.onerror = () => say(`The server does not answer. The page shows the run after ${
    formatTime(run.endUs)}.`, true);
  source.onmessage = ({data}) => {
    for (const event of JSON.parse(data)) run.add(event);
    drawSoon();
  };
  source.addEventListener("end", () => {
    source.close();
    isPaused = false;
    draw();
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
