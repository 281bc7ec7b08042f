import { parsePriceMicros, parseSizeLots } from '../../../schemas/decimal.js'
import type { PerpTifName, SideName } from '../../../schemas/wire-types.js'
import type { DirectiveTerms } from '../../client/directives.js'
import type { OrderTexts } from './order-form.js'

/** Order of a perp in the ticket. */
export interface PerpOrder extends Omit<OrderTexts, 'symbol'> {
  readonly asset: number
  readonly side: SideName
  readonly tif: PerpTifName
  readonly reduceOnly: boolean
  /** `0x` and 32 hexadecimal digits. null: the venue takes the nonce. */
  readonly clientId: string | null
}

const tifCodes = { alo: 1, gtc: 2, ioc: 3 } as const
/** Price units of a directive (1e-8 USD) per micro. */
const unitsPerMicro = 100n

/** Returns the action of `hl_limit_order`. @param order Its texts are valid (`orderFault`). */
export function perpDirective(order: PerpOrder): DirectiveTerms['hl_limit_order'] {
  const { asset, side, price, size, tif, reduceOnly, clientId } = order
  return {
    ...{ asset, isBuy: side === 'Buy', reduceOnly, encodedTif: tifCodes[tif] },
    limitPx: BigInt(parsePriceMicros(price)) * unitsPerMicro,
    sz: BigInt(parseSizeLots(size)),
    // A directive cannot carry the client id 0.
    ...(BigInt(clientId ?? 0) === 0n ? {} : { cloid: BigInt(clientId!) }),
  }
}
