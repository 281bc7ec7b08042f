import { assert } from './assert.js'

// The venue's own balances. FundInsurance has the layout of Deposit (commands.ts), without a wallet.

//  Funds: all balances as they are now
//  24      32          40     48         56         64       68
//  +-------+-----------+------+----------+----------+--------+------+
//  | fees  | insurance | dust | clearing | deposits | change | zero |   the first five are Float64 micros
//  +-------+-----------+------+----------+----------+--------+------+
export const fundsFeesMicrosAt = 24
export const fundsInsuranceMicrosAt = 32
export const fundsDustMicrosAt = 40
export const fundsClearingMicrosAt = 48
export const fundsDepositsMicrosAt = 56 // operator deposits to the insurance fund so far
export const fundsChangeAt = 64 // i32, FundsChange
export const fundsBytes = 72

assert((fundsBytes & 7) === 0, 'funds: length is a multiple of 8')
