// picture.js - shows the picture of the program, and shows it again when it has changed
//
// SPDX-License-Identifier: Apache-2.0

// How often the server is asked whether the picture has changed.
const PICTURE_MS = 1000;

// Asks for the picture. Returns: a function that asks a last time, when the run is over
function followPicture() {
  let tag = "", address = "";

  function show(blob) {
    const before = address;
    address = URL.createObjectURL(blob);
    at("picture").src = address;
    at("picture").hidden = false;
    if (before) URL.revokeObjectURL(before);
  }

  async function load() {
    const answer = await fetch("picture", {cache: "no-store", headers: tag ? {"If-None-Match": tag} : {}});
    if (answer.status === 304) return;
    at("picture-text").textContent = answer.status === 204 ? "The program has not written its picture yet."
      : answer.ok ? "" : await answer.text();
    tag = answer.headers.get("ETag") ?? "";
    if (answer.status === 200) show(await answer.blob());
  }

  // If the server is gone, live.js says so.
  const loadQuietly = () => load().catch(() => {});
  at("picture-section").hidden = false;
  loadQuietly();
  const timer = setInterval(() => {
    if (!document.hidden) loadQuietly();
  }, PICTURE_MS);
  return () => {
    clearInterval(timer);
    loadQuietly();
  };
}
