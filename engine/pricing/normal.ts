import { exp } from './exact.js'

// N(-x) = e^(-x²/2) · T(x), with T(x) = 1/√(2π) · ∫₀^∞ e^(-t²/2 - xt) dt, the scaled Mills ratio. T is smooth, between
// 0.5 and 0, and known to full relative accuracy even where N is almost 0.
//
// T is read from its Taylor series about the nearest of the nodes 0, 1/16, 2/16, ... 40. The series has the
// coefficients (-1)^n·J_n with J_n(x) = 1/√(2π) · ∫₀^∞ t^n/n! · e^(-t²/2 - xt) dt. Integration by parts gives J_(n-1) =
// x·J_n + (n+1)·J_(n+1), with J_(-1) = 1/√(2π). All terms are positive and the J_n vanish, so the downward recurrence
// from a large n loses no accuracy.

const inverseSqrt2Pi = 0.3989422804014327

const nodesPerUnit = 16
const nodeSpacing = 1 / nodesPerUnit
const tailFrom = 40 // e^(-40²/2) is 0 in double precision
const termsPerNode = 10 // (1/32)^10·J_10 is below 1e-18

const table = millsTable()

/**
 * Standard normal distribution function, with a relative error below 1e-15 down to the smallest normal double.
 *
 * @returns exactly 0.5 at 0, 0 below about -38.6, NaN for NaN.
 */
export function normalCdf(x: number): number {
  return x > 0 ? 1 - gaussian(x) * scaledMills(x) : gaussian(x) * scaledMills(-x)
}

/** Standard normal density e^(-x²/2) / √(2π). */
export function normalPdf(x: number): number {
  return inverseSqrt2Pi * gaussian(x)
}

/**
 * Returns e^(-x²/2). x is split into a part of 24 bits, whose square is exact, and a tail. Otherwise the rounding of x²
 * would be amplified by its own size in the tail.
 */
export function gaussian(x: number): number {
  if (x > tailFrom || x < -tailFrom) return 0
  const head = Math.fround(x)
  const tail = 0.5 * (x - head) * (x + head)
  return exp(-0.5 * head * head) * (1 - tail * (1 - tail * (1 / 2 - tail * (1 / 6))))
}

/**
 * Returns T(x) = N(-x)·e^(x²/2), with a relative error below 4e-16.
 *
 * @param x not negative; not asserted, because this is the innermost loop of the re-mark.
 */
export function scaledMills(x: number): number {
  if (x > tailFrom) return scaledMillsOfTail(x)
  const node = (x * nodesPerUnit + 0.5) | 0
  const at = node * termsPerNode
  const g = node * nodeSpacing - x
  const q = g * g
  const even =
    table[at] + q * (table[at + 2] + q * (table[at + 4] + q * (table[at + 6] + q * table[at + 8])))
  const odd =
    table[at + 1] +
    q * (table[at + 3] + q * (table[at + 5] + q * (table[at + 7] + q * table[at + 9])))
  return even + g * odd
}

// Continued fraction T(x)·√(2π) = 1/(x + 1/(x + 2/(x + 3/(x + ...)))), which needs few levels here.
function scaledMillsOfTail(x: number): number {
  let denominator = x
  for (let level = 8; level >= 1; level--) denominator = x + level / denominator
  return inverseSqrt2Pi / denominator
}

function millsTable(): Float64Array {
  const terms = new Float64Array((tailFrom * nodesPerUnit + 1) * termsPerNode)
  fillNodeAtZero(terms)
  for (let node = 1; node <= tailFrom * nodesPerUnit; node++) {
    fillNode(terms, node * termsPerNode, node * nodeSpacing)
  }
  return terms
}

// At 0 the recurrence links only every second term, so it runs upwards from the two known values.
function fillNodeAtZero(terms: Float64Array): void {
  terms[0] = 0.5
  terms[1] = inverseSqrt2Pi
  for (let n = 1; n + 1 < termsPerNode; n++) terms[n + 1] = terms[n - 1] / (n + 1)
}

// Computes ratios J_n / J_(n-1) = 1 / (x + (n+1)·J_(n+1)/J_n) downwards. Each step reduces the influence of the start
// value by x/√n. The error is e^(-2x√n), here at most e^(-42).
function fillNode(terms: Float64Array, at: number, x: number): void {
  const start = Math.floor(441 / (x * x)) + 40
  let ratio = 0
  for (let n = start; n >= termsPerNode; n--) ratio = 1 / (x + (n + 1) * ratio)
  for (let n = termsPerNode - 1; n >= 0; n--) {
    ratio = 1 / (x + (n + 1) * ratio)
    terms[at + n] = ratio
  }
  let value = inverseSqrt2Pi
  for (let n = 0; n < termsPerNode; n++) {
    value *= terms[at + n]
    terms[at + n] = value
  }
}
