import { assert } from './assert.js'

// Funding of perps, in the events' own words.

//  Funding: a perp's period has its rate, or everything of it is paid. Payments between are Account events.
//  24     32      40    48     56           60      64        68        72
//  +------+-------+-----+------+------------+-------+---------+---------+
//  | rate | index | end | dust | instrument | phase | samples | holders |   the first four are Float64
//  +------+-------+-----+------+------------+-------+---------+---------+
export const fundingEventRateNanosAt = 24 // share of the index per period, 1e-9; above 0 longs pay
export const fundingEventIndexMicrosAt = 32 // Bootstrap: NaN
export const fundingEventEndMillisAt = 40 // of the period
export const fundingEventDustMicrosAt = 48 // Paid: what rounding left to the dust account
export const fundingEventInstrumentAt = 56 // i32
export const fundingEventPhaseAt = 60 // i32, FundingPhase
export const fundingEventSamplesAt = 64 // i32, samples that the rate is the mean of
export const fundingEventHoldersAt = 68 // i32, wallets with a position when it was fixed
export const fundingEventBytes = 72

assert((fundingEventBytes & 7) === 0, 'funding: length is a multiple of 8')
