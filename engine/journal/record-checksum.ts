// Checksum of a sequence of 32-bit words. Two lanes process the even and the odd words. A lane's step is a bijection of
// its state for a given word, and of the word for a given state. A change to a single word, such as a flipped bit,
// therefore always changes the lane and remains visible to the end. Larger damage, for example a torn write, is missed
// about once in 2^32.
//
// The checksum is no code with a minimum distance: an attacker who knows the rule can choose changes of several words
// that cancel out. A word is multiplied by its own factor before the lane takes it. Otherwise two specific bit flips of
// the next word would undo a flip of the lane's top bit, whatever the data. Damage that passes here must still lead to
// the state whose hash the next batch contains.
//
// CRC-32 of node:zlib runs at about 3 GB/s, but costs two native calls and two views per record, and a second pass over
// the bytes. The core computes this checksum in the loop that copies the commands to the journal ring (`copyCommands`
// in core/journal-link.ts), and allocates nothing.

/** Initial states of the lanes. They differ, so that equal words do not give equal lanes. */
export const evenSeed = 0x3c6ef372
export const oddSeed = 0x510e527f
/** Both are odd, so that a step is a bijection. A changed bit changes about half of the bits above it. */
const wordFactor = 0xcc9e2d51 | 0
const laneFactor = 0x9e3779b1 | 0

/** Returns the state of a lane after one more word. */
export function mixWord(lane: number, word: number): number {
  const product = Math.imul(lane ^ Math.imul(word, wordFactor), laneFactor)
  return product ^ (product >>> 15)
}

/** Combines both lanes into one u32 after all words. A change of one lane always shows. */
export function foldLanes(even: number, odd: number): number {
  // The even lane takes an extra step, so that equal changes of both lanes do not cancel out.
  return mixWord(mixWord(mixWord(even, evenSeed), odd), oddSeed) >>> 0
}

/** Returns the checksum of the words from byte `fromAt` to before `endAt`. The record's header stores their number. */
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
