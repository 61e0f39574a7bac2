// text.js - numbers and times for people
//
// SPDX-License-Identifier: Apache-2.0

const LETTERS = ["", " k", " M", " G", " T", " P"];

function formatCount(value) {
  let power = 0;
  while (value >= 999.5 && power + 1 < LETTERS.length) {
    value /= 1000;
    power++;
  }
  return value.toFixed(power === 0 || value >= 99.95 ? 0 : 1) + LETTERS[power];
}

function formatBytes(value) {
  const text = formatCount(value);
  return text + (text.includes(" ") ? "B" : " B");
}

function formatTime(us) {
  const seconds = us / 1e6;
  if (us === 0) return "0";
  if (seconds < 1) return (seconds * 1000).toFixed(1) + " ms";
  if (seconds < 120) return seconds.toFixed(1) + " s";
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return (hours > 0 ? hours + " h " : "") + minutes + " min " + Math.floor(seconds % 60) + " s";
}

// Writes a range of times that are estimates. @mostUs: may be infinite
function formatRange(leastUs, mostUs) {
  const seconds = (mostUs < Infinity ? mostUs : leastUs) / 1e6;
  const [unit, us] = seconds < 90 ? ["s", 1e6] : seconds < 5400 ? ["min", 60e6] : ["h", 3600e6];
  const least = Math.round(leastUs / us), most = Math.round(mostUs / us);
  if (most === Infinity) return `at least ${least} ${unit}`;
  return least === most ? `about ${most} ${unit}` : `${least} to ${most} ${unit}`;
}

function formatPercent(part, whole) {
  return whole > 0 ? (100 * part / whole).toFixed(1) + " %" : "–";
}

// Makes an element with attributes and children; a child is an element or a text.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
