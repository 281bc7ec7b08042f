import { parsePriceMicros, parseSizeLots } from '../../schemas/decimal.js'

/** Price text of a test as micros; a text that is no price is the test's mistake. */
export function priceMicrosOf(text: string): number {
  const micros = parsePriceMicros(text)
  if (micros < 0) throw new Error(`no price: ${text}`)
  return micros
}

/** Size text of a test as lots. */
export function sizeLotsOf(text: string): number {
  const lots = parseSizeLots(text)
  if (lots < 0) throw new Error(`no size: ${text}`)
  return lots
}
