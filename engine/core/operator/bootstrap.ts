import { assert } from '../../../schemas/assert.js'
import { InstrumentState, type OrderStatus, Side } from '../../../schemas/domain.js'
import { BootstrapEvent, EventType, PositionEvent } from '../../../schemas/generated/events.js'
import {
  AccountChange,
  AgentChange,
  CompetitionChange,
  FundsChange,
  InstrumentChange,
  RemarkPhase,
  UsernameChange,
} from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { publishEstimate, publishSettlements } from '../../lifecycle/settlement.js'
import { none } from '../../memory/rows.js'
import { type MarkInputs, markInputsNone, settlementEstimateOf } from '../../pricing/mark-inputs.js'
import { isSameSurface } from '../../pricing/surface.js'
import { publishCompetition } from '../../publish/publish-competitions.js'
import { republishWithdrawals } from '../../publish/publish-directive.js'
import { publishRates } from '../../publish/publish-funding.js'
import { publishFunds } from '../../publish/publish-funds.js'
import { republishLiquidation } from '../../publish/publish-liquidation.js'
import {
  publishAccount,
  publishAgent,
  publishApiWallet,
  publishHalt,
  publishIndexPrice,
  publishInstrument,
  publishLevel,
  publishMaxIndex,
  publishRemarked,
  publishSurface,
} from '../../publish/publish-market.js'
import { publishMmpWhole } from '../../publish/publish-mmp.js'
import { publishOrder } from '../../publish/publish-orders.js'
import { republishProviders } from '../../publish/publish-providers.js'
import { republishPush } from '../../publish/publish-push.js'
import { publishReferral } from '../../publish/publish-referrals.js'
import { publishUsername } from '../../publish/publish-usernames.js'
import { republishRfqs } from '../../rfq/rfq-states.js'
import type { CoreState } from '../../state/core-state.js'

const marker = new BootstrapEvent()
const position = new PositionEvent()

/** Room kept free while bootstrap records are written; each record is far smaller. */
const roomBytes = 1 << 20

/**
 * Publishes the whole state to the readers of the event log, once, after recovery and before the first command:
 * instruments, market inputs, accounts, positions, working orders, levels. The records lie between `BootstrapBegin` and
 * `BootstrapEnd`, all under the recovered sequence.
 */
export function publishBootstrap(state: CoreState, pause: () => void): void {
  const { sink } = state
  const { seq } = sink
  assert(!sink.bootstrapping, 'bootstrap: it runs once at a time')
  sink.bootstrapping = true
  sink.timeMillis = state.nowMillis
  marker.claim(sink, EventType.BootstrapBegin)
  publishMarket(state, pause)
  publishFunds(state, FundsChange.Bootstrap)
  for (let account = 0; account < state.accounts.count; account++) {
    makeRoom(state, pause)
    publishOwner(state, account)
  }
  for (const row of state.mmp.rows) publishMmpWhole(state, row, () => makeRoom(state, pause))
  for (const row of state.liquidations.byAccount()) {
    makeRoom(state, pause)
    republishLiquidation(state, row)
  }
  for (const account of state.usernames.accounts) {
    makeRoom(state, pause)
    publishUsername(state, account, UsernameChange.Bootstrap)
  }
  makeRoom(state, pause)
  republishProviders(state)
  republishWithdrawals(state, () => makeRoom(state, pause))
  for (const row of state.competitions.rows) {
    makeRoom(state, pause)
    publishCompetition(state, row, CompetitionChange.Bootstrap)
  }
  republishRfqs(state, () => makeRoom(state, pause))
  republishPush(state, () => makeRoom(state, pause))
  for (const row of state.referrals.rows()) {
    makeRoom(state, pause)
    publishReferral(state, row)
  }
  publishOrders(state, pause)
  marker.claim(sink, EventType.BootstrapEnd)
  sink.bootstrapping = false
  assert(sink.seq === seq, 'bootstrap: it does not advance the sequence')
  sink.log?.storeDurable(sink.log.publish())
}

function publishMarket(state: CoreState, pause: () => void): void {
  const { instruments } = state
  for (let id = 0; id < instruments.count; id++) {
    makeRoom(state, pause)
    publishInstrument(state, id, InstrumentChange.Bootstrap)
  }
  for (let underlying = 0; underlying < instruments.underlyingNames.length; underlying++) {
    publishHalt(state, underlying)
    if (instruments.maxIndexMicros[underlying] !== 0) publishMaxIndex(state, underlying)
    publishMarks(state, underlying, pause)
  }
  publishSettlements(state)
  publishRates(state)
}

/**
 * Publishes the current marks, the running re-mark and the latest inputs, each with its inputs and its time. A reader
 * that marks with these inputs gets the same bits. Inputs are repeated only where they differ.
 */
function publishMarks(state: CoreState, underlying: number, pause: () => void): void {
  const { inputs, ...marked } = state.marks.stateOf(underlying)
  let known = markInputsNone
  if (!Number.isNaN(marked.markedMillis)) {
    known = publishInputs(state, underlying, marked.markedInputs, known, pause)
    publishRemarkAt(state, underlying, RemarkPhase.Whole, marked.markedMillis)
  }
  if (!Number.isNaN(marked.pendingMillis)) {
    known = publishInputs(state, underlying, marked.pendingInputs, known, pause)
    publishRemarkAt(state, underlying, RemarkPhase.Begun, marked.pendingMillis)
  }
  publishInputs(state, underlying, inputs, known, pause)
}

/** @returns `inputs`, for the next call. */
function publishInputs(
  state: CoreState,
  underlying: number,
  inputs: MarkInputs,
  known: MarkInputs,
  pause: () => void,
): MarkInputs {
  makeRoom(state, pause)
  const { indexMicros, indexAtMillis, surfaces, estimates } = inputs
  const isKnown = indexMicros === known.indexMicros && indexAtMillis === known.indexAtMillis
  if (!isKnown && !Number.isNaN(indexMicros)) publishIndexPrice(state, underlying, inputs)
  for (const surface of surfaces) {
    if (known.surfaces.some((other) => isSameSurface(other, surface))) continue
    makeRoom(state, pause)
    publishSurface(state, underlying, surface)
  }
  for (const { expiryMillis, priceMicros } of estimates) {
    if (settlementEstimateOf(known, expiryMillis) === priceMicros) continue
    publishEstimate(state, underlying, expiryMillis, priceMicros)
  }
  return inputs
}

function publishRemarkAt(
  state: CoreState,
  underlying: number,
  phase: RemarkPhase,
  timeMillis: number,
): void {
  const { sink } = state
  const nowMillis = sink.timeMillis
  sink.timeMillis = timeMillis
  publishRemarked(state, underlying, phase)
  sink.timeMillis = nowMillis
}

function publishOwner(state: CoreState, account: number): void {
  const { agents } = state.accounts
  const agent = new Uint8Array(20)
  publishAccount(state, account, AccountChange.Bootstrap)
  for (let index = 0; index < agents.count(account); index++) {
    agents.write(account, index, agent, 0)
    publishAgent(state, account, AgentChange.Approved, agent, 0)
  }
  for (const wallet of state.apiWallets.of(account)) {
    publishApiWallet(state, account, AgentChange.Approved, wallet)
  }
  const { exposures, firstExposure } = state.risk
  let row = firstExposure[account] ?? none
  for (; row !== none; row = exposures.nextInAccount[row]) {
    if (exposures.positionLots[row] !== 0) publishPosition(state, account, row)
  }
}

function publishPosition(state: CoreState, account: number, row: number): void {
  if (!position.claim(state.sink)) return
  const { exposures } = state.risk
  position.lots = exposures.positionLots[row]
  position.costMicros = exposures.costMicros[row]
  position.realizedMicros = exposures.realizedMicros[row]
  position.instrument = exposures.instrument[row]
  position.account = account
  state.accounts.addresses.write(account, position.u8, position.walletAt)
}

function publishOrders(state: CoreState, pause: () => void): void {
  const { orders, instruments } = state
  for (let instrument = 0; instrument < instruments.count; instrument++) {
    const levels = [new Map<number, number>(), new Map<number, number>()]
    let slot = orders.firstOf(instrument)
    for (; slot !== none; slot = orders.nextInInstrument[slot]) {
      makeRoom(state, pause)
      publishOrder(state, slot, orders.status[slot] as OrderStatus, Result.Accepted)
      if (state.auctions.has(slot)) continue
      const side = levels[orders.side[slot]]
      const price = orders.priceMicros[slot]
      const lots = (side.get(price) ?? 0) + orders.openLots[slot]
      side.set(price, Math.min(lots, Number.MAX_SAFE_INTEGER))
    }
    if (instruments.state[instrument] !== InstrumentState.Active) continue
    for (const side of [Side.Buy, Side.Sell]) {
      for (const [priceMicros, sizeLots] of levels[side]) {
        makeRoom(state, pause)
        publishLevel(state, { instrument, side, priceMicros, sizeLots })
      }
    }
  }
}

/** Waits until the readers catch up. Nothing delays these records: everything in them is durable. */
function makeRoom(state: CoreState, pause: () => void): void {
  const { sink } = state
  const { log } = sink
  if (log === null || sink.roomBytes > roomBytes || sink.lookForRoom() > roomBytes) return
  log.storeDurable(log.publish())
  while (log.freeBytes() < log.capacityBytes / 2) pause()
}
