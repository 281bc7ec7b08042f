// References of high precision, from the definitions: fixed point over BigInt, obviously right.

/** A fixed-point number: value = units / 2^bits. */
export type Fixed = bigint

/** Positive double as an exact integer times a power of two. */
export function partsOf(x: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  const bits = view.getBigUint64(0)
  const biased = Number((bits >> 52n) & 2047n)
  const fraction = bits & ((1n << 52n) - 1n)
  if (biased === 0) return { mantissa: fraction, exponent: -1074 }
  return { mantissa: fraction | (1n << 52n), exponent: biased - 1075 }
}

/** Double to fixed point, truncated toward zero. */
export function fixedOf(x: number, bits: number): Fixed {
  const { mantissa, exponent } = partsOf(Math.abs(x))
  const magnitude = shift(mantissa, exponent + bits)
  return x < 0 ? -magnitude : magnitude
}

/** ln 2 = 2·artanh(1/3). */
export function ln2Fixed(bits: number): Fixed {
  return 2n * artanhFixed((1n << BigInt(bits)) / 3n, bits)
}

/** e^x as mantissa·2^exponent with the mantissa in fixed point, close to 1. */
export function expFixed(x: Fixed, bits: number): { mantissa: Fixed; exponent: number } {
  const ln2 = ln2Fixed(bits)
  const half = x < 0n ? -(ln2 / 2n) : ln2 / 2n
  const k = (x + half) / ln2
  const r = x - k * ln2
  let term = 1n << BigInt(bits)
  let sum = term
  for (let n = 1n; term !== 0n; n++) {
    term = (term * r) / (n << BigInt(bits))
    sum += term
  }
  return { mantissa: sum, exponent: Number(k) }
}

/** Natural logarithm of a positive double. */
export function lnFixed(x: number, bits: number): Fixed {
  const { mantissa, exponent } = partsOf(x)
  const length = mantissa.toString(2).length
  const m = mantissa << BigInt(bits - length + 1)
  const one = 1n << BigInt(bits)
  const s = ((m - one) << BigInt(bits)) / (m + one)
  return 2n * artanhFixed(s, bits) + BigInt(exponent + length - 1) * ln2Fixed(bits)
}

/** N(x) of a double. */
export function normalCdfFixed(x: number, bits: number): Fixed {
  return normalCdfOfFixed(fixedOf(x, bits), bits)
}

/** N(x) = 1/2 + n(x)·(x + x³/3 + x⁵/(3·5) + ...). */
export function normalCdfOfFixed(x: Fixed, bits: number): Fixed {
  const scale = BigInt(bits)
  const square = (x * x) >> scale
  let term = x
  let sum = 0n
  for (let n = 3n; term !== 0n && term !== -1n; n += 2n) {
    sum += term
    term = (term * square) / (n << scale)
  }
  return (1n << (scale - 1n)) + ((normalPdfOfFixed(x, bits) * sum) >> scale)
}

/** n(x) = e^(-x²/2) / √(2π). */
export function normalPdfOfFixed(x: Fixed, bits: number): Fixed {
  const scale = BigInt(bits)
  const power = powerFixed(-((x * x) >> scale) / 2n, bits)
  return (power << scale) / rootFixed(2n * piFixed(bits), bits)
}

/** e^x. */
export function powerFixed(x: Fixed, bits: number): Fixed {
  const { mantissa, exponent } = expFixed(x, bits)
  return shift(mantissa, exponent)
}

/** Distance of a double from mantissa·2^exponent, in units in its last place. */
export function ulpsFrom(actual: number, mantissa: Fixed, exponent: number, bits: number): number {
  const parts = partsOf(Math.abs(actual))
  // One unit in the last place is 2^parts.exponent; both sides are brought to 2^-64 of it.
  const reference = shift(
    mantissa < 0n ? -mantissa : mantissa,
    exponent - bits - parts.exponent + 64,
  )
  return Math.abs(Number(reference - (parts.mantissa << 64n)) / 2 ** 64)
}

function artanhFixed(s: Fixed, bits: number): Fixed {
  const square = (s * s) >> BigInt(bits)
  let power = s
  let sum = 0n
  for (let n = 1n; power !== 0n && power !== -1n; n += 2n) {
    sum += power / n
    power = (power * square) >> BigInt(bits)
  }
  return sum
}

/** π = 16·arctan(1/5) - 4·arctan(1/239). */
function piFixed(bits: number): Fixed {
  return 16n * arctanInverseFixed(5n, bits) - 4n * arctanInverseFixed(239n, bits)
}

function arctanInverseFixed(denominator: bigint, bits: number): Fixed {
  let power = (1n << BigInt(bits)) / denominator
  let sum = 0n
  for (let n = 1n, sign = 1n; power !== 0n; n += 2n, sign = -sign) {
    sum += (sign * power) / n
    power /= denominator * denominator
  }
  return sum
}

export function rootFixed(x: Fixed, bits: number): Fixed {
  const square = x << BigInt(bits)
  let root = 1n << BigInt((square.toString(2).length >> 1) + 1)
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

function shift(value: bigint, by: number): bigint {
  return by >= 0 ? value << BigInt(by) : value >> BigInt(-by)
}
