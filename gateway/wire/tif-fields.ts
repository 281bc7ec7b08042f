import { Tif, tifNames } from '../../schemas/domain.js'
import type { OptionTifName, TifName } from '../../schemas/wire-types.js'

const alo = tifNames[Tif.Alo]

/** Returns the fields of an order's time in force. Clients know no `tif` for post-only orders. */
export function tifFields(tif: TifName): {
  readonly tif?: OptionTifName
  readonly add_liquidity_only?: true
} {
  return tif === alo ? { add_liquidity_only: true } : { tif }
}
