// tables.js - tables that are filled again and again
//
// SPDX-License-Identifier: Apache-2.0

// Sets the text of an element, unless it has this text already.
function setText(element, text) {
  if (element.shownText === text) return;
  element.textContent = element.shownText = text;
}

// Fills a list of terms. @terms: for each its name, its value, and whether the value is a warning.
function showTerms(list, terms) {
  list.replaceChildren(...terms.map(([name, value, isWarning]) =>
    make("div", isWarning ? {class: "warn"} : {}, make("dt", {}, name), make("dd", {}, value))));
}

// Fills the body of a table with @rows, arrays of texts. @classes: the class of each column. Rows and
// cells that are there already are used again.
function fillBody(table, rows, classes) {
  const body = table.tBodies[0] ?? table.createTBody();
  while (body.rows.length > rows.length) body.deleteRow(-1);
  rows.forEach((texts, i) => {
    const row = body.rows[i] ?? body.insertRow();
    texts.forEach((text, j) => {
      const cell = row.cells[j] ?? row.insertCell();
      if (cell.className !== (classes[j] ?? "")) cell.className = classes[j] ?? "";
      setText(cell, text);
    });
  });
}

// Makes the head of a table. @words: the columns that hold words.
function fillHead(table, head, words) {
  table.append(make("thead", {}, make("tr", {}, ...head.map((text, i) =>
    make("th", {scope: "col", class: words.includes(i) ? "text" : ""}, text)))));
}

// Fills the table of numbers that belongs to a picture, but only while the table is open.
// @makeRows: returns the rows.
function showTable(details, head, makeRows) {
  details.makeRows = makeRows;
  const table = details.querySelector("table");
  if (!table.tHead) {
    fillHead(table, head, [0]);
    details.addEventListener("toggle", () => fillNumbers(details, table));
  }
  fillNumbers(details, table);
}

function fillNumbers(details, table) {
  if (details.open) fillBody(table, details.makeRows(), ["text"]);
}
