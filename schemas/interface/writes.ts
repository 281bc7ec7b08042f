import { accountWrites } from './account.js'
import { moneyWrites } from './money.js'
import { ordersWrites } from './orders.js'
import { perpsWrites } from './perps.js'
import { pushWrites } from './push.js'
import { referralsWrites } from './referrals.js'
import { rfqWrites } from './rfq.js'
import { riskWrites } from './risk.js'
import type { UnsignedRow, WriteRow } from './write.js'

/** Every write of the public interface. */
export const writes = {
  ...ordersWrites,
  ...perpsWrites,
  ...rfqWrites,
  ...accountWrites,
  ...moneyWrites,
  ...riskWrites,
  ...referralsWrites,
  ...pushWrites,
}
export type WriteKey = keyof typeof writes

type Writes = typeof writes
/** Account rows by the name of their action. */
export type AccountRows = {
  readonly [Key in WriteKey as Writes[Key] extends { readonly action: infer Name extends string }
    ? Name
    : never]: Writes[Key]
}
export type AccountActionName = keyof AccountRows
/** Method and path of an account action. */
export type AccountKey<Name extends AccountActionName> = {
  [Key in WriteKey]: Writes[Key] extends { readonly action: Name } ? Key : never
}[WriteKey]

/** Method and path of each account action. */
export const accountKeys = Object.fromEntries(
  Object.entries(writes).flatMap(([key, row]) => ('action' in row ? [[row.action, key]] : [])),
) as { readonly [Name in AccountActionName]: AccountKey<Name> }

/** Signed writes by method and path. */
export const signedWrites: Readonly<Record<string, WriteRow>> = Object.fromEntries(
  Object.entries(writes).flatMap(([key, row]) => ('structs' in row ? [[key, row]] : [])),
)

/** Unsigned writes by method and path. */
export const unsignedWrites: Readonly<Record<string, UnsignedRow>> = Object.fromEntries(
  Object.entries(writes).flatMap(([key, row]) => ('presets' in row ? [[key, row]] : [])),
)
