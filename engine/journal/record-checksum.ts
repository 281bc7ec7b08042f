// Checksum of a run of 32-bit words. Two lanes take the even and the odd words; a lane's step is a
// bijection of its state for a given word, and of the word for a given state. So whatever happens to
// a single word, a flipped bit first of all, changes the lane and stays visible in it to the end:
// that is certain. Anything larger, a torn write for example, is missed about once in 2^32.
//
// It is no code with a distance: who knows the rule can choose changes of several words that cancel
// out. A word is spread by a factor of its own before the lane takes it, because a flip of the lane's
// top bit would else be taken back by two certain flips of the next word, whatever the data. What
// passes here still has to lead to the state whose hash the next batch carries.
//
// Why no CRC-32: node:zlib's runs at about 3 GB/s, costs two native calls and two views per record,
// and passes over the bytes once more. This one is computed by the core in the very loop that copies
// the commands to the journal ring (`copyCommands` in core/journal-link.ts), and allocates nothing.

/** The lanes before the first word: different ones, so that equal words do not make equal lanes. */
export const evenSeed = 0x3c6ef372
export const oddSeed = 0x510e527f
/** Odd both, so that a step is a bijection; a changed bit moves about half of those above it. */
const wordFactor = 0xcc9e2d51 | 0
const laneFactor = 0x9e3779b1 | 0

/** A lane after one more word. */
export function mixWord(lane: number, word: number): number {
  const product = Math.imul(lane ^ Math.imul(word, wordFactor), laneFactor)
  return product ^ (product >>> 15)
}

/** Both lanes in one u32, after all words; a change of one lane always shows. */
export function foldLanes(even: number, odd: number): number {
  // The even lane is moved on first: what does the same to both must not cancel out.
  return mixWord(mixWord(mixWord(even, evenSeed), odd), oddSeed) >>> 0
}

/** Checksum of the words from byte `fromAt` to before `endAt`; how many they are is said by the record's header. */
export function checksumOf(words: Int32Array, fromAt: number, endAt: number): number {
  let even = evenSeed
  let odd = oddSeed
  let at = fromAt >> 2
  const to = endAt >> 2
  for (const end = to - 1; at < end; at += 2) {
    even = mixWord(even, words[at])
    odd = mixWord(odd, words[at + 1])
  }
  if (at < to) even = mixWord(even, words[at])
  return foldLanes(even, odd)
}
