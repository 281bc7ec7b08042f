import { detailsCount, eventBytesMax, lotsPerContract, microsPerUsd } from '../../schemas/bounds.js'
import {
  AccountEvent,
  AgentEvent,
  AnyEvent,
  ApiWalletEvent,
  BookClearedEvent,
  BookLevelEvent,
  DirectiveEvent,
  EventType,
  FillEvent,
  FundingEvent,
  FundsEvent,
  InstrumentEvent,
  LiquidationEvent,
  MmpEvent,
  OutcomeEvent,
  PayoutEvent,
  PayoutsSeenEvent,
  ProviderEvent,
  RemarkedEvent,
  SettlementEvent,
} from '../../schemas/generated/events.js'
import { answerSeqOf } from '../../schemas/record-rules/answer-seq.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import { type RecordViews, viewsOf } from '../../schemas/record-views.js'

/** Event, decoded as far as tests compare it: sizes in contracts, amounts in USD. */
export interface RigEvent {
  readonly type: number
  readonly seq: number
  readonly millis: number
  readonly fields: Readonly<Record<string, number>>
}

/** Flags that describe the action, not the delivery of its answer. */
const { MmpTriggered, Repeat, Unfunded } = OutcomeFlag
const outcomeFlagsOfAction = MmpTriggered | Repeat | Unfunded

const event = new AnyEvent()
const outcome = new OutcomeEvent()
const detailNames = Array.from({ length: detailsCount }, (_, i) => `detail${i}`)
const copy = viewsOf(new ArrayBuffer(eventBytesMax))

export function rigEventOf(views: RecordViews, at: number): RigEvent {
  const { recordType, recordBytes, seq, timeMillis } = event.over(views, at)
  // Rigs read many events: one object each, and nothing else.
  const fields: Record<string, number> = fieldsOf[recordType]?.(views, at) ?? {}
  fields['bytes'] = recordBytes
  fields['digest'] = digestOf(views, at)
  return { type: recordType, seq, millis: timeMillis, fields }
}

/** Hashes all bytes of an event except its requester, which is gone in a replay. */
function digestOf(views: RecordViews, at: number): number {
  const { recordType, recordBytes } = event.over(views, at)
  copy.u8.set(views.u8.subarray(at, at + recordBytes))
  const hasRequester = recordType === EventType.Outcome || recordType === EventType.OrderUpdate
  if (hasRequester) outcome.over(copy, 0).gateway = 0
  let digest = 0
  for (let word = 0; word < recordBytes / 4; word++) {
    digest = (Math.imul(digest, 0x01000193) ^ copy.i32[word]!) | 0
  }
  return digest
}

/** Decoders of event fields by type; other types have no fields. */
const fieldsOf: Readonly<
  Record<number, (views: RecordViews, at: number) => Record<string, number>>
> = {
  [EventType.Outcome]: outcomeFields,
  [EventType.OrderUpdate]: outcomeFields,
  [EventType.Fill]: fillFields,
  [EventType.BookLevel]: levelFields,
  [EventType.Instrument]: instrumentFields,
  [EventType.BookCleared]: clearedFields,
  [EventType.Account]: accountFields,
  [EventType.Remarked]: remarkedFields,
  [EventType.Liquidation]: liquidationFields,
  [EventType.Agent]: agentFields,
  [EventType.ApiWallet]: apiWalletFields,
  [EventType.Directive]: directiveFields,
  [EventType.Payout]: payoutFields,
  [EventType.Settlement]: settlementFields,
  [EventType.PayoutsSeen]: seenFields,
  [EventType.Provider]: providerFields,
  [EventType.Funds]: fundsFields,
  [EventType.Mmp]: mmpFields,
  [EventType.Funding]: fundingFields,
}

function outcomeFields(views: RecordViews, at: number): Record<string, number> {
  const { facts } = outcome.over(views, at)
  const fields: Record<string, number> = {
    gateway: outcome.gateway,
    request: outcome.request,
    result: outcome.result,
    flags: outcome.flags & outcomeFlagsOfAction,
    answerSeq: answerSeqOf(outcome),
    orderId: facts.orderId,
    status: facts.status,
    instrument: facts.instrument,
    size: facts.sizeLots / lotsPerContract,
    filled: facts.filledLots / lotsPerContract,
    side: facts.side,
    filledMicros: facts.filledMicros,
  }
  for (let i = 0; i < detailsCount; i++) fields[detailNames[i]!] = outcome.details(i)
  return fields
}

const fill = new FillEvent()
function fillFields(views: RecordViews, at: number): Record<string, number> {
  fill.over(views, at)
  return {
    orderId: fill.orderId,
    price: fill.priceMicros / microsPerUsd,
    size: fill.sizeLots / lotsPerContract,
    position: fill.positionLots / lotsPerContract,
    cash: fill.cashMicros / microsPerUsd,
    side: fill.side,
    orderFlags: fill.flags,
    fee: fill.feeMicros / microsPerUsd,
    builderFee: fill.builderFeeMicros / microsPerUsd,
    isTaker: fill.isTaker,
  }
}

const level = new BookLevelEvent()
function levelFields(views: RecordViews, at: number): Record<string, number> {
  level.over(views, at)
  return {
    price: level.priceMicros / microsPerUsd,
    size: level.sizeLots / lotsPerContract,
    instrument: level.instrument,
    side: level.side,
  }
}

const instrumentEvent = new InstrumentEvent()
function instrumentFields(views: RecordViews, at: number): Record<string, number> {
  const { instrument, change } = instrumentEvent.over(views, at)
  return { instrument, change }
}

const cleared = new BookClearedEvent()
function clearedFields(views: RecordViews, at: number): Record<string, number> {
  return { instrument: cleared.over(views, at).instrument }
}

const accountEvent = new AccountEvent()
function accountFields(views: RecordViews, at: number): Record<string, number> {
  const { account, change, cashMicros, deltaMicros } = accountEvent.over(views, at)
  return { account, change, cash: cashMicros / microsPerUsd, delta: deltaMicros / microsPerUsd }
}

const remarked = new RemarkedEvent()
function remarkedFields(views: RecordViews, at: number): Record<string, number> {
  const { underlying, phase } = remarked.over(views, at)
  return { underlying, phase }
}

const liquidation = new LiquidationEvent()
function liquidationFields(views: RecordViews, at: number): Record<string, number> {
  liquidation.over(views, at)
  return {
    change: liquidation.change,
    before: liquidation.beforeState,
    beforeMode: liquidation.beforeMode,
    state: liquidation.state,
    mode: liquidation.mode,
    fees: liquidation.feeMicros / microsPerUsd,
    deadline: liquidation.deadlineMillis,
  }
}

const agent = new AgentEvent()
function agentFields(views: RecordViews, at: number): Record<string, number> {
  return { change: agent.over(views, at).change }
}

const apiWallet = new ApiWalletEvent()
function apiWalletFields(views: RecordViews, at: number): Record<string, number> {
  const { account, change, nameAt, u8 } = apiWallet.over(views, at)
  return { account, change, name: u8[nameAt]! }
}

const directive = new DirectiveEvent()
function directiveFields(views: RecordViews, at: number): Record<string, number> {
  const { account, action, createdMillis, delivery, domain, reason } = directive.over(views, at)
  const id = directive.views.u8[directive.directiveIdAt]!
  return { account, action, createdMillis, delivery, domain, reason, id }
}

const payout = new PayoutEvent()
function payoutFields(views: RecordViews, at: number): Record<string, number> {
  payout.over(views, at)
  return {
    id: payout.payoutId,
    account: payout.account,
    instrument: payout.instrument,
    position: payout.positionLots / lotsPerContract,
    payoff: payout.payoffMicros / microsPerUsd,
    value: payout.valueMicros / microsPerUsd,
    fee: payout.feeMicros / microsPerUsd,
    cost: payout.costMicros / microsPerUsd,
    cash: payout.cashMicros / microsPerUsd,
    borne: payout.borneMicros / microsPerUsd,
    price: payout.priceMicros / microsPerUsd,
  }
}

const settlement = new SettlementEvent()
function settlementFields(views: RecordViews, at: number): Record<string, number> {
  const { phase, priceMicros, dustMicros, borneMicros, source, valid } = settlement.over(views, at)
  return {
    phase,
    price: priceMicros / microsPerUsd,
    dust: dustMicros / microsPerUsd,
    borne: borneMicros / microsPerUsd,
    source,
    valid,
  }
}

const payoutsSeen = new PayoutsSeenEvent()
function providerFields(views: RecordViews, at: number): Record<string, number> {
  const { change, status, sessions, session, gateway } = new ProviderEvent().over(views, at)
  return { change, status, sessions, session, gateway }
}

function seenFields(views: RecordViews, at: number): Record<string, number> {
  const { account, seen, count } = payoutsSeen.over(views, at)
  return { account, seen, count, first: payoutsSeen.ids(0) }
}

const funds = new FundsEvent()
function fundsFields(views: RecordViews, at: number): Record<string, number> {
  funds.over(views, at)
  return {
    fees: funds.feesMicros / microsPerUsd,
    insurance: funds.insuranceMicros / microsPerUsd,
    dust: funds.dustMicros / microsPerUsd,
    clearing: funds.clearingMicros / microsPerUsd,
    deposits: funds.depositsMicros / microsPerUsd,
  }
}

const mmp = new MmpEvent()
function mmpFields(views: RecordViews, at: number): Record<string, number> {
  const { change, account, triggers, frozenUntilMillis } = mmp.over(views, at)
  return { change, account, triggers, frozenUntil: frozenUntilMillis }
}

const funding = new FundingEvent()
function fundingFields(views: RecordViews, at: number): Record<string, number> {
  const { instrument, phase, samples, holders } = funding.over(views, at)
  return {
    rate: funding.rateNanos / 1e9,
    index: funding.indexMicros / microsPerUsd,
    end: funding.endMillis,
    dust: funding.dustMicros / microsPerUsd,
    instrument,
    phase,
    samples,
    holders,
  }
}
