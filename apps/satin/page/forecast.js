// forecast.js - how long a run may still take
//
// Some parts of a run are slower than others, and the share that is done is itself an estimate. So
// there are two estimates of the time left: one by the mean speed since the master began, the other
// by the speed in the newer half of this time. They differ by about as much as both may be wrong.
//
// SPDX-License-Identifier: Apache-2.0

// With less progress than this, there is no forecast: its error would be too large.
const LEAST_PERMILLE = 20;

class Forecast {
  constructor() {
    this.begin(0);
  }

  // A new master begins, with nothing done.
  begin(timeUs) {
    this.samples = [[timeUs, 0]];
  }

  add(timeUs, permille) {
    if (permille > this.samples.at(-1)[1]) this.samples.push([timeUs, permille]);
  }

  // Returns: the shorter and the longer estimate of the time left, microseconds, or null if nothing
  // can be said. The longer one is infinite if nothing was done in the newer half of the time.
  left(nowUs) {
    const beganUs = this.samples[0][0], done = this.samples.at(-1)[1];
    if (done < LEAST_PERMILLE || done >= 1000) return null;
    const halfUs = (nowUs - beganUs) / 2;
    const before = this.samples.findLast(([timeUs]) => timeUs <= beganUs + halfUs)[1];
    const times = [(nowUs - beganUs) / done, halfUs / (done - before)].map((us) =>
      us * (1000 - done));
    return [Math.min(...times), Math.max(...times)];
  }
}
