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

// Returns: the frame of a chart: the picture, its lines and texts. It is made once for each place.
function takeFrame(place, width, height, label) {
  if (place.frame) return place.frame;
  const svg = makeSvg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label});
  const plotHeight = height - BOTTOM - TOP, plotWidth = width - LEFT;
  const values = [0, 1, 2].map((i) => {
    const y = TOP + plotHeight * (1 - i / 2);
    svg.append(makeSvg("line", {class: "grid", x1: LEFT, x2: width, y1: y, y2: y}));
    return makeSvg("text", {x: LEFT - 6, y: y + 4, "text-anchor": "end"});
  });
  const times = [0, 1, 2, 3, 4].map((i) => makeSvg("text", {x: LEFT + plotWidth * i / 4,
    y: height - 6, "text-anchor": i === 0 ? "start" : i === 4 ? "end" : "middle"}));
  svg.append(...values, ...times);
  place.replaceChildren(svg);
  place.frame = {svg, values, times, paths: []};
  return place.frame;
}

function setFrame(frame, endUs, min, max, format) {
  frame.values.forEach((text, i) => setText(text, format(min + (max - min) * i / 2)));
  frame.times.forEach((text, i) => setText(text, formatTime(endUs * i / 4)));
}

// Draws a column for each bin. @series: [{label, color, values}]. In a column, the values of the
// series are stacked on each other, the first one at the bottom.
function drawStack(place, series, bins, endUs, max, format) {
  const height = 220, plotHeight = height - BOTTOM - TOP, plotWidth = WIDTH - LEFT;
  const isNew = !place.frame;
  const frame = takeFrame(place, WIDTH, height, series.map((s) => s.label).join(", ") + " over time");
  if (isNew) {
    for (const {label, color: name} of series) {
      const path = makeSvg("path", {style: `fill: var(${name})`});
      path.append(makeSvg("title", {}, label));
      frame.paths.push(path);
      frame.svg.append(path);
    }
    place.append(makeLegend(series));
  }
  setFrame(frame, endUs, 0, max, format);
  const n = bins.count(endUs), base = new Float64Array(n);
  const x = (i) => LEFT + plotWidth * Math.min(i * bins.widthUs / Math.max(endUs, 1), 1);
  const y = (value) => TOP + plotHeight * (1 - value / max);
  series.forEach(({values}, s) => {
    let top = "", bottom = "";
    for (let i = 0; i < n; i++) {
      const left = x(i).toFixed(1), right = x(i + 1).toFixed(1);
      bottom = `L${right} ${y(base[i]).toFixed(1)}L${left} ${y(base[i]).toFixed(1)}` + bottom;
      base[i] += values[i];
      top += `${i === 0 ? "M" : "L"}${left} ${y(base[i]).toFixed(1)}H${right}`;
    }
    frame.paths[s].setAttribute("d", n > 0 ? top + bottom + "z" : "");
  });
}

// Draws a line through @points: [[time_us, value]], in order of time. With @isStep, a value stays
// the same until the next point. @min: the value at the bottom.
function drawLine(place, points, endUs, label, isStep, min = 0) {
  const width = WIDTH / 2, height = 160, plotHeight = height - BOTTOM - TOP, plotWidth = width - LEFT;
  const frame = takeFrame(place, width, height, label);
  if (frame.paths.length === 0) {
    frame.paths.push(makeSvg("path", {style: "fill: none; stroke: var(--busy); stroke-width: 2"}));
    frame.svg.append(frame.paths[0]);
  }
  const max = points.reduce((most, p) => Math.max(most, p[1]), min + 1);
  const isSmall = max - min <= 2, isNear = min !== 0;
  setFrame(frame, endUs, min, max, (value) => isSmall ? value.toFixed(1)
    : isNear ? Math.round(value).toLocaleString() : formatCount(value));
  let path = "";
  for (const [timeUs, value] of points) {
    const x = (LEFT + plotWidth * timeUs / Math.max(endUs, 1)).toFixed(1);
    const y = (TOP + plotHeight * (1 - (value - min) / (max - min))).toFixed(1);
    path += path === "" ? `M${x} ${y}` : isStep ? `H${x}V${y}` : `L${x} ${y}`;
  }
  if (isStep) path += `H${width}`;
  frame.paths[0].setAttribute("d", path);
}

// Returns: red, green and blue of the colour @name, which is "#rrggbb" in page.css.
function readColor(name) {
  const text = color(name);
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
}

// Draws a map in which each of @rows is a row of cells. @rows: [{label, shares}]; a share is in
// [0, 1], or ABSENT.
function drawHeat(place, rows, bins, endUs, state) {
  const rowHeight = Math.max(4, Math.min(18, Math.floor(420 / Math.max(rows.length, 1))));
  const n = bins.count(endUs);
  if (!place.canvas) {
    place.canvas = make("canvas", {role: "img"});
    place.canvas.addEventListener("mousemove", (event) => nameCell(place, event));
  }
  if (place.state !== state) {
    place.state = state;
    place.canvas.setAttribute("aria-label",
      `share of time ${state.label}, a row for each node or for quantiles of a cluster`);
    place.replaceChildren(place.canvas, makeLegend([{label: state.label, color: state.color},
      {label: state.rest, color: state.restColor}, {label: "not in the run", color: "--gone"}]));
  }
  const {canvas} = place;
  Object.assign(place, {rows, bins, endUs, n});
  canvas.width = n;
  canvas.height = Math.max(rows.length, 1);
  canvas.style.height = rows.length * rowHeight + "px";
  // The last bin may reach beyond the end of the run.
  canvas.style.width = 100 * n * bins.widthUs / Math.max(endUs, 1) + "%";
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const full = readColor(state.color), rest = readColor(state.restColor), gone = readColor("--gone");
  rows.forEach(({shares}, row) => {
    for (let bin = 0; bin < n; bin++) {
      const share = shares[bin], from = 4 * (row * n + bin);
      for (let i = 0; i < 3; i++)
        image.data[from + i] = share === ABSENT ? gone[i] : rest[i] + share * (full[i] - rest[i]);
      image.data[from + 3] = 255;
    }
  });
  context.putImageData(image, 0, 0);
}

// Shows the row, time and share of the cell below the pointer, as the tooltip of the map.
function nameCell({canvas, rows, bins, n}, event) {
  const box = canvas.getBoundingClientRect();
  const row = rows[Math.floor((event.clientY - box.top) / box.height * rows.length)];
  const bin = Math.floor((event.clientX - box.left) / box.width * n);
  canvas.title = row === undefined ? ""
    : `${row.label}, ${formatTime(bins.widthUs * bin)}: ${formatShare(row.shares[bin])}`;
}

function makeLegend(series) {
  return make("ul", {class: "legend"}, ...series.map(({label, color: name}) =>
    make("li", {}, make("i", {style: `background: var(${name})`}), label)));
}
