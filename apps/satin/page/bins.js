// bins.js - how figures grew over time, in bins that become longer as the run does
//
// All arrays of a run have the same bins. When the run is longer than all bins together, each pair
// of neighbouring bins becomes one. So adding to an array takes a time that does not depend on the
// run's length.
//
// SPDX-License-Identifier: Apache-2.0

const MAX_BINS = 256;

class Bins {
  constructor() {
    this.widthUs = 1;
    this.arrays = [];
    this.changed = 0; // the first bin that has changed since heatRows() read the bins
  }

  newArray() {
    const array = new Float32Array(MAX_BINS);
    this.arrays.push(array);
    return array;
  }

  // Makes the bins so long that @timeUs is in one of them.
  reach(timeUs) {
    while (timeUs >= MAX_BINS * this.widthUs) {
      this.widthUs *= 2;
      this.changed = 0;
      for (const array of this.arrays) {
        for (let i = 0; i < MAX_BINS / 2; i++) array[i] = array[2 * i] + array[2 * i + 1];
        array.fill(0, MAX_BINS / 2);
      }
    }
  }

  at(timeUs) {
    return Math.min(Math.floor(timeUs / this.widthUs), MAX_BINS - 1);
  }

  touch(timeUs) {
    this.changed = Math.min(this.changed, this.at(timeUs));
  }

  // Returns: how many bins a run of this length uses.
  count(endUs) {
    return this.at(Math.max(endUs - 1, 0)) + 1;
  }

  // Returns: how much of a bin is before the end of the run, microseconds.
  lengthUs(bin, endUs) {
    return Math.max(Math.min(endUs - bin * this.widthUs, this.widthUs), 1);
  }

  // Spreads an amount evenly over the time from @beginUs to @endUs, which the bins must reach.
  add(array, beginUs, endUs, amount) {
    if (amount === 0) return;
    const first = this.at(beginUs), last = this.at(endUs);
    if (first < this.changed) this.changed = first;
    if (first === last) {
      array[first] += amount;
      return;
    }
    const rate = amount / (endUs - beginUs), width = this.widthUs;
    array[first] += rate * ((first + 1) * width - beginUs);
    for (let bin = first + 1; bin < last; bin++) array[bin] += rate * width;
    array[last] += rate * (endUs - last * width);
  }
}
