import { readFileSync } from 'node:fs'

// Loaded into a venue's process and each of its threads before anything else (`--import`): steps the machine's clock by
// the milliseconds in a file. Steady time does not change.
const file = process.env['STEPPED_CLOCK_FILE']
const lookEveryMillis = 5
const trueNow = Date.now
let stepMillis = 0
let lookedMillis = Number.NEGATIVE_INFINITY

if (file !== undefined) {
  Date.now = () => {
    const steady = performance.now()
    if (steady - lookedMillis >= lookEveryMillis) {
      lookedMillis = steady
      stepMillis = Number(readFileSync(file, 'utf8'))
    }
    return trueNow() + stepMillis
  }
}
