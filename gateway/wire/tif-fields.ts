import { Tif, tifNames } from '../../schemas/domain.js'

/** The tif of an order, in fields; one that only adds liquidity has none that public clients know. */
export function tifFields<Name extends string>(
  tif: Name,
): { readonly tif?: Exclude<Name, 'alo'>; readonly add_liquidity_only?: true } {
  if (tif === tifNames[Tif.Alo]) return { add_liquidity_only: true }
  return { tif: tif as Exclude<Name, 'alo'> }
}
