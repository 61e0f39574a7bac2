// charts.js - draws pictures: stacked columns, a line, a map of colours
//
// SPDX-License-Identifier: Apache-2.0

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000, LEFT = 60, BOTTOM = 22, TOP = 6;

function makeSvg(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// Makes the frame of a chart, with times below and values at the left.
function makeFrame(width, height, endUs, max, format) {
  const svg = makeSvg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img"});
  const plotHeight = height - BOTTOM - TOP, plotWidth = width - LEFT;
  for (let i = 0; i <= 2; i++) {
    const y = TOP + plotHeight * (1 - i / 2);
    svg.append(makeSvg("line", {class: "grid", x1: LEFT, x2: width, y1: y, y2: y}));
    svg.append(makeSvg("text", {x: LEFT - 6, y: y + 4, "text-anchor": "end"},
      format(max * i / 2)));
  }
  for (let i = 0; i <= 4; i++) {
    const anchor = i === 0 ? "start" : i === 4 ? "end" : "middle";
    svg.append(makeSvg("text", {x: LEFT + plotWidth * i / 4, y: height - 6,
      "text-anchor": anchor}, formatTime(endUs * i / 4)));
  }
  return svg;
}

// Draws columns, a column for each bin. @series: [{label, color, bins}], stacked on each other from
// the bottom up.
function drawStack(place, series, endUs, max, format) {
  const height = 220, plotHeight = height - BOTTOM - TOP, plotWidth = WIDTH - LEFT;
  const svg = makeFrame(WIDTH, height, endUs, max, format);
  const n = series[0].bins.length, base = new Array(n).fill(0);
  for (const {color: name, bins, label} of series) {
    let path = "";
    for (let i = 0; i < n; i++) {
      const x = LEFT + plotWidth * i / n, w = plotWidth / n + 0.3;
      const h = plotHeight * bins[i] / max;
      const y = TOP + plotHeight * (1 - base[i] / max) - h;
      if (h > 0) path += `M${x.toFixed(1)} ${y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h-${w.toFixed(1)}z`;
      base[i] += bins[i];
    }
    const drawn = makeSvg("path", {d: path, style: `fill: var(${name})`});
    drawn.append(makeSvg("title", {}, label));
    svg.append(drawn);
  }
  svg.setAttribute("aria-label", series.map((s) => s.label).join(", ") + " over time");
  place.replaceChildren(svg, makeLegend(series));
}

// Draws a line through @points: [[time_us, value]], in order of time. With @isStep, a value stays
// the same until the next point.
function drawLine(place, points, endUs, label, isStep) {
  const width = WIDTH / 2, height = 160, plotHeight = height - BOTTOM - TOP, plotWidth = width - LEFT;
  const max = Math.max(1, ...points.map((p) => p[1]));
  const svg = makeFrame(width, height, endUs, max, formatCount);
  let path = "";
  for (const [timeUs, value] of points) {
    const x = (LEFT + plotWidth * timeUs / Math.max(endUs, 1)).toFixed(1);
    const y = (TOP + plotHeight * (1 - value / max)).toFixed(1);
    path += path === "" ? `M${x} ${y}` : isStep ? `H${x}V${y}` : `L${x} ${y}`;
  }
  if (isStep) path += `H${width}`;
  svg.append(makeSvg("path", {d: path, style: "fill: none; stroke: var(--busy); stroke-width: 2"}));
  svg.setAttribute("aria-label", label);
  place.replaceChildren(svg);
}

// Draws a map in which each of @rows is a row of cells. @rows: [{label, shares}]; a share is in
// [0, 1], or null when no node of the row was in the run.
function drawHeat(place, rows, endUs) {
  const rowHeight = Math.max(4, Math.min(18, Math.floor(420 / Math.max(rows.length, 1))));
  const height = rows.length * rowHeight, nBins = rows[0]?.shares.length ?? 0;
  const canvas = make("canvas", {width: nBins * 4, height, role: "img",
    "aria-label": "share of time in jobs, a row for each node"});
  canvas.style.height = height + "px";
  const context = canvas.getContext("2d");
  const busy = color("--busy"), idle = color("--idle"), gone = color("--gone");
  rows.forEach(({shares}, row) => shares.forEach((share, bin) => {
    const at = [bin * 4, row * rowHeight, 4, rowHeight - (rowHeight > 6 ? 1 : 0)];
    context.globalAlpha = 1;
    context.fillStyle = share === null ? gone : idle;
    context.fillRect(...at);
    if (share === null) return;
    context.globalAlpha = Math.max(0, Math.min(1, share));
    context.fillStyle = busy;
    context.fillRect(...at);
  }));
  canvas.addEventListener("mousemove", (event) => {
    const box = canvas.getBoundingClientRect();
    const row = rows[Math.floor((event.clientY - box.top) / rowHeight)];
    const bin = Math.floor((event.clientX - box.left) / box.width * nBins);
    const share = row?.shares[bin];
    canvas.title = row === undefined ? "" : `${row.label}, ${formatTime(endUs * bin / nBins)}: `
      + (share == null ? "not in the run" : formatPercent(share, 1) + " in jobs");
  });
  place.replaceChildren(canvas, makeLegend([{label: "in jobs", color: "--busy"},
    {label: "not in jobs", color: "--idle"}, {label: "not in the run", color: "--gone"}]));
}

function makeLegend(series) {
  return make("ul", {class: "legend"}, ...series.map(({label, color: name}) =>
    make("li", {}, make("i", {style: `background: var(${name})`}), label)));
}
