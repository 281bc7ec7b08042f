import { parsePriceMicros, parseSizeLots } from '../../schemas/decimal.js'

/** Returns a test's price text as micros. An invalid price is the test's mistake. */
export function priceMicrosOf(text: string): number {
  const micros = parsePriceMicros(text)
  if (micros < 0) throw new Error(`no price: ${text}`)
  return micros
}

/** Returns a test's size text as lots. */
export function sizeLotsOf(text: string): number {
  const lots = parseSizeLots(text)
  if (lots < 0) throw new Error(`no size: ${text}`)
  return lots
}
