import { assert } from './assert.js'
import { underlyingBytesMax } from './bounds.js'
import { commandBodyAt } from './commands.js'
import {
  eventBodyAt,
  factsCreatedMillisAt,
  factsFilledLotsAt,
  factsPriceMicrosAt,
  factsSizeLotsAt,
} from './events.js'

// Market-maker protection: layouts of its commands and of its event.

export const mmpLimitCount = 3

// SetMmp, DeleteMmp, ResetMmp: the wallet is the header's; the last two end behind the underlying
export const mmpUnderlyingAt = commandBodyAt // text, NUL padded
export const mmpIntervalMillisAt = 112 // f64
export const mmpFrozenMillisAt = 120 // f64, 0: until reset
export const mmpLimitsAt = 128 // f64 each: quantity, delta, vega in micros, 0: none
export const setMmpBytes = 152
export const endMmpBytes = 112

// Facts of the outcome of an accepted SetMmp, which is about no order: the window as it is then
export const factsMmpQtyMicrosAt = factsPriceMicrosAt // f64
export const factsMmpDeltaMicrosAt = factsSizeLotsAt // f64
export const factsMmpVegaMicrosAt = factsFilledLotsAt // f64
export const factsMmpFrozenUntilAt = factsCreatedMillisAt // f64, 0: not frozen, Infinity: until reset

export const mmpEventChangeAt = eventBodyAt // i32, MmpChange
export const mmpEventAccountAt = 28 // i32
export const mmpEventUnderlyingAt = 32 // i32
export const mmpEventTriggersAt = 36 // i32, limits reached: 1 quantity, 2 delta, 4 vega
export const mmpEventIntervalMillisAt = 40 // f64
export const mmpEventFrozenMillisAt = 48 // f64
export const mmpEventLimitsAt = 56 // three f64, micros; 0: none
export const mmpEventFrozenUntilMillisAt = 80 // f64, 0: never was frozen; Infinity: until reset
export const mmpEventNonceHighAt = 88 // i32, of the latest accepted SetMmp
export const mmpEventNonceLowAt = 92 // i32
export const mmpEventSizeLotsAt = 96 // f64, above zero when the protected wallet bought
export const mmpEventDeltaMicrosAt = 104 // f64, per contract
export const mmpEventVegaMicrosAt = 112 // f64, per contract
export const mmpEventEntryMillisAt = 96 // f64, Entry: instead of a fill
export const mmpEventAmountsAt = 104 // six f64, Entry: micros and rest of quantity, delta, vega
export const mmpEventBytes = 152

assert(mmpUnderlyingAt + underlyingBytesMax === mmpIntervalMillisAt, 'mmp: the underlying fits')
assert(mmpLimitsAt + mmpLimitCount * 8 === setMmpBytes, 'mmp: command length')
assert(mmpEventLimitsAt + mmpLimitCount * 8 === mmpEventFrozenUntilMillisAt, 'mmp: limits fit')
assert(mmpEventAmountsAt + mmpLimitCount * 16 === mmpEventBytes, 'mmp: event length')
for (const bytes of [setMmpBytes, endMmpBytes, mmpEventBytes]) {
  assert((bytes & 7) === 0, 'mmp: lengths are multiples of 8')
}
