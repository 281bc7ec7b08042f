import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksumOf } from '../../../engine/journal/record-checksum.js'

const seed = 20261121
let random = seed

function nextWord(): number {
  random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0
  return random ^ (random >>> 11)
}

function words(count: number): Int32Array {
  return Int32Array.from({ length: count }, nextWord)
}

function sum(of: Int32Array): number {
  return checksumOf(of, 0, of.length * 4)
}

/** Same rule in readable form: one lane after the other, in big integers. */
function slowSum(of: Int32Array): number {
  const step = (lane: bigint, word: number) => {
    const spread = (BigInt(word >>> 0) * 0xcc9e2d51n) & 0xffffffffn
    const product = ((lane ^ spread) * 0x9e3779b1n) & 0xffffffffn
    return product ^ (product >> 15n)
  }
  const lane = (first: bigint, parity: number) =>
    of.filter((_, index) => index % 2 === parity).reduce(step, first)
  const moved = step(lane(0x3c6ef372n, 0), 0x3c6ef372)
  return Number(step(step(moved, Number(lane(0x510e527fn, 1))), 0x510e527f))
}

test('the checksum follows its rule, for every length', () => {
  for (let count = 0; count < 70; count++) {
    const some = words(count)
    assert.equal(sum(some), slowSum(some), `seed ${seed}, ${count} words`)
  }
})

test('the checksum reads only the given words', () => {
  const all = words(20)
  assert.equal(checksumOf(all, 12, 56), sum(all.slice(3, 14)))
  assert.equal(checksumOf(all, 20, 20), sum(new Int32Array(0)))
})

test('any change of a single word changes the checksum, at any place', () => {
  for (const some of [words(9), new Int32Array(16), new Int32Array(16).fill(-1)]) {
    const before = sum(some)
    for (let at = 0; at < some.length; at++) {
      const word = some[at]
      for (let bit = 0; bit < 32; bit++) {
        some[at] = word ^ (1 << bit)
        assert.notEqual(sum(some), before, `word ${at}, bit ${bit}`)
      }
      for (let i = 0; i < 100; i++) {
        some[at] = nextWord()
        assert.equal(sum(some) === before, some[at] === word, `seed ${seed}, word ${at}`)
      }
      some[at] = word
    }
  }
})

test('two flipped bits change the checksum, wherever they are', () => {
  for (const some of [words(12), new Int32Array(12)]) {
    const before = sum(some)
    const bits = some.length * 32
    for (let first = 0; first < bits; first++) {
      some[first >> 5] ^= 1 << (first & 31)
      for (let second = first + 1; second < bits; second++) {
        some[second >> 5] ^= 1 << (second & 31)
        if (sum(some) === before) assert.fail(`seed ${seed}: bits ${first} and ${second}`)
        some[second >> 5] ^= 1 << (second & 31)
      }
      some[first >> 5] ^= 1 << (first & 31)
    }
  }
})

test("up to three flips in the lane's next word do not cancel a flipped bit", () => {
  const some = words(4)
  const before = sum(some)
  const masks: number[] = []
  for (let a = 0; a < 32; a++) {
    for (let b = a; b < 32; b++) {
      for (let c = b; c < 32; c++) masks.push((1 << a) | (1 << b) | (1 << c))
    }
  }
  for (let bit = 0; bit < 32; bit++) {
    some[0] ^= 1 << bit
    for (const mask of masks) {
      some[2] ^= mask
      if (sum(some) === before) assert.fail(`seed ${seed}: bit ${bit}, then ${mask.toString(16)}`)
      some[2] ^= mask
    }
    some[0] ^= 1 << bit
  }
})

test('the checksum detects the same change in both words of every pair, and reordered words', () => {
  const pairs = new Int32Array(64)
  const sums = new Set([sum(pairs)])
  for (let pair = 0; pair < 32; pair++) {
    pairs[2 * pair] = pairs[2 * pair + 1] = pair + 1
    sums.add(sum(pairs))
  }
  assert.equal(sums.size, 33)
  const some = words(32)
  const swapped = some.slice()
  for (let at = 0; at < 32; at += 2) {
    swapped[at] = some[at + 1]
    swapped[at + 1] = some[at]
  }
  assert.notEqual(sum(swapped), sum(some))
  assert.notEqual(sum(some.slice().reverse()), sum(some))
})

test('runs of zeros of different lengths differ, up to the length of a torn page', () => {
  const zeros = new Int32Array(4096)
  const sums = new Set<number>()
  for (let count = 0; count <= zeros.length; count++) sums.add(checksumOf(zeros, 0, count * 4))
  assert.equal(sums.size, zeros.length + 1)
})

test("changing one bit of the input changes about half of the checksum's bits", () => {
  const some = words(10)
  const before = sum(some)
  let changed = 0
  for (let bit = 0; bit < 320; bit++) {
    some[bit >> 5] ^= 1 << (bit & 31)
    for (let rest = sum(some) ^ before; rest !== 0; rest &= rest - 1) changed++
    some[bit >> 5] ^= 1 << (bit & 31)
  }
  const mean = changed / 320
  assert.ok(mean > 14 && mean < 18, `${mean} of 32`)
})
