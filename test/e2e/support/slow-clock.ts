// Loaded into a venue's process and each of its threads before anything else (`--import`): slows the machine's clock by
// a factor of a thousand from the time `SLOW_CLOCK_TRUE`, which it shows as `SLOW_CLOCK_SHOWN`.
const { SLOW_CLOCK_TRUE: trueText, SLOW_CLOCK_SHOWN: shownText } = process.env
const slowness = 1000
const trueNow = Date.now

if (trueText !== undefined) {
  const [trueMillis, shownMillis] = [Number(trueText), Number(shownText)]
  Date.now = () => Math.floor(shownMillis + (trueNow() - trueMillis) / slowness)
}
