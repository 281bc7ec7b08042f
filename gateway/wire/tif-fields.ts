import { Tif, tifNames } from '../../schemas/domain.js'

/** The tif of an order, in fields; one that only adds liquidity has none that public clients know. */
export function tifFields(tif: string): Readonly<Record<string, string | boolean>> {
  return tif === tifNames[Tif.Alo] ? { add_liquidity_only: true } : { tif }
}
