import { Tif, tifNames } from '../../schemas/domain.js'

/** The tif of an order, in fields; one that only adds liquidity has none that public clients know. */
export function tifFields<Name extends string>(
  tif: Name,
): { readonly tif?: Name; readonly add_liquidity_only?: true } {
  return tif === tifNames[Tif.Alo] ? { add_liquidity_only: true } : { tif }
}
