import { Tif, tifNames } from '../../schemas/domain.js'
import type { OptionTifName, TifName } from '../../schemas/wire-types.js'

const alo = tifNames[Tif.Alo]

/** Returns the time in force of an order, in fields; clients know no `tif` of an order that only adds liquidity. */
export function tifFields(tif: TifName): {
  readonly tif?: OptionTifName
  readonly add_liquidity_only?: true
} {
  return tif === alo ? { add_liquidity_only: true } : { tif }
}
