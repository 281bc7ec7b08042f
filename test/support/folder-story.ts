import assert from 'node:assert/strict'
import { walletOf } from '../../bench/event-script.js'
import { closingCancelsMax } from '../../engine/state/batch.js'
import { type EngineConfig, engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { bulkItemsMax } from '../../schemas/bounds.js'
import {
  BuilderStatus,
  ClockAlarm,
  ClockChoice,
  HaltMode,
  MarginMode,
  neverMillis,
  Right,
  SelfTradeMode,
  Tier,
} from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { Result } from '../../schemas/results.js'
import type { LiquidationRig } from './liquidation-rig.js'
import type { RigInstrument } from './rig-commands.js'

const minute = 60_000
const begin = Date.UTC(2026, 0, 1)
/**
 * Expiries: one priced by its window, one priced by the operator and being paid at the end, one just expired at the
 * end.
 */
const pricedAt = begin + 40 * minute
const givenAt = begin + 50 * minute
const lastAt = begin + 120 * minute
const farAt = Date.UTC(2026, 0, 31)
/** Length of the clock step. */
const stepMillis = 5_000_000

const priced: RigInstrument = { strike: 100_000, expiryDate: 20260101 }
const pricedPut: RigInstrument = { ...priced, right: Right.Put }
const given: RigInstrument = { underlying: 'ETH', strike: 3000, expiryDate: 20260101 }
const last: RigInstrument = { strike: 105_000, expiryDate: 20260102 }
const far: RigInstrument = { strike: 110_000, expiryDate: 20260131 }
const farPut: RigInstrument = { strike: 90_000, expiryDate: 20260131, right: Right.Put }
const farEther: RigInstrument = { underlying: 'ETH', strike: 3300, expiryDate: 20260131 }
/** Instruments: one delisted before it trades, one being delisted at the end with working orders. */
const unused: RigInstrument = { ...far, strike: 130_000 }
const closing: RigInstrument = { ...far, strike: 150_000 }
const perp: RigInstrument = { strike: 0, expiryDate: 0, right: Right.None }
const perpEther: RigInstrument = { ...perp, underlying: 'ETH' }
const listings: readonly (readonly [RigInstrument, number])[] = [
  [priced, pricedAt],
  [pricedPut, pricedAt],
  [given, givenAt],
  [last, lastAt],
  [far, farAt],
  [farPut, farAt],
  [farEther, farAt],
  [unused, farAt],
  [closing, farAt],
  [perp, neverMillis],
  [perpEther, neverMillis],
]

/** Wallets: two quote, three trade, four are short with little money. Two bid in auctions and sign for the operator. */
const [maker, other, trader, second, third] = [1, 2, 3, 4, 10]
const [auctioned, reduced, broke, sold] = [5, 6, 7, 11]
const [bidder, signer] = [8, 9]
const [agent, revoked, traderAgent] = [50, 51, 52]
const [builder, suspended, configured] = [40, 41, 42]

const config: EngineConfig = {
  ...engineConfigDefault,
  remarkRows: 3,
  noncesKept: 12,
  outcomesKept: 8,
  tiers: engineConfigDefault.tiers.map((tier) => ({ ...tier, openOrdersMax: -1 })),
  mmpCountTakerFills: true,
  pricing: { ...engineConfigDefault.pricing, indexMaxAgeMillis: 0, surfaceMaxAgeMillis: 0 },
  settlement: { ...engineConfigDefault.settlement, payoutsPerBatch: 1, feeRate: 0.00015 },
  liquidation: { ...engineConfigDefault.liquidation, feeRate: 0.0001 },
  perpFunding: { ...engineConfigDefault.perpFunding, enabled: true, paymentsPerBatch: 1 },
  fees: {
    makerRate: 0.0001,
    takerRate: 0.0003,
    optionCap: 0.125,
    perpMakerRate: 0.0001,
    perpTakerRate: 0.0004,
    builderShare: 0.2,
  },
  maxIndexMicros: { ETH: 50_000e6 },
  builders: [walletOf(configured)],
  operatorSigners: [walletOf(signer)],
}

/**
 * Runs two hours of a market in which every table of the state gets rows. At the end much is in progress: an expiry
 * half paid, another just expired, a round of funding, an auction, a wallet being reduced, an instrument being
 * delisted, a stepped clock. Every run has the same commands at the same times.
 * @param atHalf called after one hour
 */
export function publishFolderStory(rig: LiquidationRig, atHalf: () => void): void {
  open(rig)
  fund(rig)
  name(rig)
  trade(rig)
  quote(rig)
  protect(rig)
  refuse(rig)
  expire(rig)
  bankrupt(rig)
  auction(rig)
  atHalf()
  wait(rig)
  leaveUnderWay(rig)
}

function open(rig: LiquidationRig): void {
  rig.configure(config)
  for (const [instrument, expiryMillis] of listings) rig.list(instrument, expiryMillis)
  rig.index(100_000)
  rig.index(3000, 'ETH')
  rig.run()
  rig.surface(0.6, 'BTC', farAt)
  rig.sviSurface([0.04, 0.1, -0.3, 0, 0.2], 'BTC', lastAt)
  rig.surface(0.5, 'BTC', pricedAt)
  rig.sviSurface([0.05, 0.2, 0.1, 0.01, 0.3], 'ETH', farAt)
  rig.surface(0.7, 'ETH', givenAt)
  rig.run()
  rig.delist(unused)
  rig.maxIndex(2_000_000)
  rig.halt(HaltMode.Halted, '', true)
  rig.run()
  for (const underlying of ['BTC', 'ETH']) rig.halt(HaltMode.Open, underlying)
  rig.run()
}

function fund(rig: LiquidationRig): void {
  for (const wallet of [maker, other, trader, second, third]) {
    rig.deposit(wallet, 2_000_000, `first-${wallet}`)
  }
  for (const wallet of [auctioned, sold, broke]) rig.deposit(wallet, 15_000)
  rig.deposit(reduced, 17_000, `first-${reduced}`)
  rig.deposit(bidder, 500_000, `first-${bidder}`)
  rig.fundInsurance(500, 'fund-1')
  rig.run()
  must(rig, rig.deposit(trader, 2_000_000, `first-${trader}`))
  must(rig, rig.deposit(trader, 1, `first-${trader}`), Result.DepositKnown)
}

function name(rig: LiquidationRig): void {
  const { ApproveAgent, RevokeAgent, RevokeAllAgents } = CommandType
  for (const wallet of [maker, other]) must(rig, rig.tier(wallet, Tier.MarketMaker))
  must(rig, rig.signedTier(signer, trader, Tier.Tier2))
  must(rig, rig.builder(builder))
  must(rig, rig.builder(suspended, BuilderStatus.Suspended))
  must(rig, rig.selfTrade(other, SelfTradeMode.CancelBoth))
  must(rig, rig.marginMode(third, MarginMode.Portfolio))
  for (const each of [agent, revoked]) must(rig, rig.agent(ApproveAgent, maker, each))
  must(rig, rig.agent(ApproveAgent, trader, traderAgent))
  must(rig, rig.agent(RevokeAgent, maker, revoked))
  must(rig, rig.agent(ApproveAgent, second, revoked))
  must(rig, rig.agent(RevokeAllAgents, second, 0))
}

function trade(rig: LiquidationRig): void {
  // Sizes that leave dust when they are paid out.
  rig.trade(trader, maker, '900', '1.23456789', { instrument: priced })
  rig.trade(second, maker, '901', '0.98765431', { instrument: priced })
  rig.trade(second, other, '800', '1.5', { instrument: pricedPut })
  rig.trade(trader, other, '1200', '1', { instrument: last })
  for (const buyer of [trader, second, third]) {
    rig.trade(buyer, maker, '20', '1.25', { instrument: given })
    rig.trade(buyer, other, '21', '2', { instrument: given, builder })
  }
  rig.trade(bidder, second, '22', '1', { instrument: given })
  for (const seller of [auctioned, sold, reduced]) rig.trade(other, seller, '3270', '1')
  rig.trade(maker, broke, '100', '10', { instrument: farEther })
  rig.trade(trader, maker, '100000', '0.5', { instrument: perp })
  rig.trade(second, other, '100010', '0.25', { instrument: perp })
  rig.trade(third, other, '100020', '0.125', { instrument: perp, builder })
  rig.trade(other, third, '3000', '5', { instrument: perpEther })
  rig.trade(trader, second, '2900', '0.4', { instrument: farPut })
}

/** Places orders of all kinds that rest to the end. */
function quote(rig: LiquidationRig): void {
  const high = { price: '20000', size: '2' } as const
  const byAgent = { wallet: maker, signer: agent } as const
  for (const [place, price] of ['2500', '2600', '2700'].entries()) {
    must(rig, rig.place({ ...byAgent, side: 'Buy', price, size: '0.5', clientId: `bid-${place}` }))
  }
  must(rig, rig.place({ ...byAgent, side: 'Sell', ...high, clientId: 'ask-0' }))
  const builders = { builder, clientId: 'built' }
  must(rig, rig.place({ wallet: other, side: 'Sell', price: '21000', size: '1', ...builders }))
  const reducing = { price: '3400', size: '0.2', instrument: farPut, reduceOnly: true } as const
  must(rig, rig.place({ wallet: trader, signer: traderAgent, side: 'Sell', ...reducing }))
  for (const [wallet, side, price] of [
    [maker, 'Buy', '99980'],
    [other, 'Sell', '100040'],
  ] as const) {
    must(rig, rig.place({ wallet, side, price, size: '0.2', tif: 'alo', instrument: perp }))
  }
  for (const [wallet, side, price] of [
    [maker, 'Buy', '2998'],
    [other, 'Sell', '3001.5'],
  ] as const) {
    must(rig, rig.place({ wallet, side, price, size: '6', instrument: perpEther }))
  }
}

/** Sets two protections: one window has entries, another has reached its limit. */
function protect(rig: LiquidationRig): void {
  const day = 86_400_000
  must(rig, rig.setMmp(maker, { interval: day, frozen: 0, qty: 50, delta: 40 }))
  must(rig, rig.setMmp(other, { underlying: 'ETH', interval: day, frozen: day, qty: 1 }))
  const put = { price: '3000', instrument: farPut } as const
  const own = { ...put, wallet: maker, size: '1', mmpEnabled: true, clientId: 'safe' } as const
  must(rig, rig.place({ ...own, side: 'Sell' }))
  const ether = { price: '95', size: '3', instrument: farEther, mmpEnabled: true } as const
  must(rig, rig.place({ wallet: other, side: 'Sell', ...ether }))
  rig.nowMillis += 10
  must(rig, rig.place({ wallet: second, side: 'Buy', ...put, size: '0.3', tif: 'ioc' }))
  rig.nowMillis += 10
  must(rig, rig.place({ wallet: third, side: 'Buy', ...put, size: '0.2', tif: 'ioc' }))
  const taken = { price: '95', size: '1.5', instrument: farEther, tif: 'ioc' } as const
  must(rig, rig.place({ wallet: second, side: 'Buy', ...taken }))
  must(rig, rig.setMmp(third, { interval: day, frozen: 0, vega: 5 }))
  must(rig, rig.resetMmp(third))
  must(rig, rig.resetMmp(third, 'BTC', CommandType.DeleteMmp))
}

/** Sends retries, rejected orders, a bulk, a replace and cancels. */
function refuse(rig: LiquidationRig): void {
  const order = { wallet: second, side: 'Buy', price: '1000', size: '0.1' } as const
  const signed = { nonce: 77, digest: 7 }
  must(rig, rig.place({ ...order, ...signed }))
  must(rig, rig.place({ ...order, ...signed }))
  must(rig, rig.place({ ...order, nonce: 77, digest: 8 }), Result.NonceUsed)
  must(rig, rig.place({ ...order, signer: third }), Result.Unauthorized)
  must(
    rig,
    rig.place({ ...order, wallet: broke, side: 'Sell', size: '9' }),
    Result.InsufficientMargin,
  )
  const { orderId = 0 } = rig.outcome(rig.place({ ...order, clientId: 'moved' }))
  must(rig, rig.place({ ...order, price: '1010', replaces: orderId, clientId: 'moved-2' }))
  rig.bulk(() => {
    for (const price of ['900', '910', '920']) rig.place({ ...order, price, clientId: price })
    rig.cancelClient(second, '910')
  })
  rig.run()
  const { asset = 0 } = { asset: rig.state.instruments.count - 2 }
  const perpOrder = { wallet: third, side: 'Buy', price: '90000', size: '0.01' } as const
  must(rig, rig.place({ ...perpOrder, perp: { asset }, clientId: '0x01' }))
  must(rig, rig.cancelClient(third, '0x01', { perp: { asset } }), Result.CanceledOnRequest)
  for (let each = 0; each < 16; each++) {
    const request = rig.place({ wallet: maker, signer: agent, side: 'Buy', price: '10', size: '1' })
    const { orderId = 0 } = rig.outcome(request)
    must(rig, rig.cancel(maker, orderId, { signer: agent }), Result.CanceledOnRequest)
  }
}

/** Sets the index every minute, so that the first expiry gets its price from the window; the expiry of ETH does not. */
function expire(rig: LiquidationRig): void {
  while (rig.nowMillis < pricedAt + 2 * minute) passMinute(rig, 100_000.125 + 11 * minuteOf(rig))
  must(rig, rig.markSeen(trader, [1]))
}

/** Bankrupts a wallet that owes more than it has, than the fund holds, and than its counterparty can bear. */
function bankrupt(rig: LiquidationRig): void {
  const { liquidation } = config
  rig.configure({ ...config, liquidation: { ...liquidation, maxAuctionSeconds: 0 } })
  must(rig, rig.index(5200, 'ETH'))
  assert.equal(rig.stateOf(broke), 'liquidated')
  rig.configure(config)
  must(rig, rig.index(3000, 'ETH'))
  // The clock steps, and the operator keeps engine time.
  must(rig, rig.clockAlarm(ClockAlarm.Raised, stepMillis))
  must(rig, rig.acceptClock(ClockChoice.Engine, rig.nowMillis + stepMillis))
  while (rig.nowMillis < givenAt + minute) passMinute(rig)
}

/** Starts two auctions; a bidder takes the positions of one. */
function auction(rig: LiquidationRig): void {
  passMinute(rig, 108_000)
  assert.equal(rig.stateOf(auctioned), 'pre_liquidation')
  for (let minutes = 0; minutes < 4; minutes++) passMinute(rig)
  assert.equal(rig.stateOf(auctioned), 'full')
  must(rig, rig.bid({ wallet: bidder, liquidated: sold, usd: 50_000 }))
  must(rig, rig.bid({ wallet: bidder, liquidated: auctioned, usd: 0.01 }), Result.Conflict)
  assert.equal(rig.row(sold)?.winner, rig.account(bidder) + 1)
  while (rig.nowMillis < begin + 62 * minute) passMinute(rig)
}

/** Waits until the engine has reduced a wallet a little, with its order still in the book. */
function wait(rig: LiquidationRig): void {
  while (rig.nowMillis < lastAt - 3 * minute) passMinute(rig)
  passMinute(rig, 110_500)
  passMinute(rig)
  assert.equal(rig.stateOf(reduced), 'partial')
  must(rig, rig.place({ wallet: second, side: 'Sell', price: '1', size: '0.02', tif: 'ioc' }))
  must(rig, rig.halt(HaltMode.CancelOnly, 'ETH'))
  fill(rig)
}

/** Places more working orders than one batch cancels. */
function fill(rig: LiquidationRig): void {
  const order = { wallet: maker, side: 'Buy', price: '0.01', size: '0.01' } as const
  for (let count = 0; count <= closingCancelsMax; count += bulkItemsMax) {
    rig.bulk(() => {
      for (let item = 0; item < bulkItemsMax; item++) rig.place({ ...order, instrument: closing })
    })
    rig.run()
  }
}

/** Advances batch by batch and stops everything half-way. */
function leaveUnderWay(rig: LiquidationRig): void {
  rig.settlementPrice(3100, givenAt, 'ETH')
  rig.step()
  rig.nowMillis = lastAt
  rig.step()
  rig.step()
  rig.index(110_400)
  rig.index(3001, 'ETH')
  rig.delist(closing)
  rig.clockAlarm(ClockAlarm.Raised, -2 * stepMillis, stepMillis)
  rig.step()
}

/** @param index new index of BTC; 0 leaves it unchanged */
function passMinute(rig: LiquidationRig, index = 0): void {
  rig.nowMillis = begin + (minuteOf(rig) + 1) * minute
  if (index > 0) rig.index(index)
  rig.tick()
  rig.run()
}

function minuteOf(rig: LiquidationRig): number {
  return Math.floor((rig.nowMillis - begin) / minute)
}

/** Runs until nothing is pending, and asserts the result. */
function must(rig: LiquidationRig, request: number, result: Result = Result.Accepted): void {
  assert.equal(rig.outcome(request)['result'], result, `request ${request}`)
}
