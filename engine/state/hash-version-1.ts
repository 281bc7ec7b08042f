import { highPart, lowPart } from '../memory/exact-sum.js'
import { none } from '../memory/rows.js'
import type { HashLanes } from '../memory/state-hash.js'
import type { Surface } from '../pricing/surface.js'
import type { Liquidation } from '../tables/generated/liquidation.js'
import type { Settlement } from '../tables/generated/settlement.js'
import type { CoreState } from './core-state.js'
import { encodeEngineConfig } from './engine-config.js'
import type { FundingRound } from './funding-table.js'
import type { KeptOutcomes } from './kept-outcomes.js'
import type { MmpRow } from './mmp-table.js'
import type { NonceWindow } from './nonces.js'

// Journals of engine version 3 carry state hashes of version 1. Here its elements stand once more, kinds and packing as
// plain numbers, so that nothing that the engine hashes later moves them: nobody changes them as long as such journals
// are read, and nobody needs the file after that. It works at batch borders, from the state alone, and goes over all of
// it: no way of an order leads here.

/** What an element of version 1 is about. */
export const KindOfVersion1 = {
  Clearing: 0,
  Cash: 1,
  Position: 2,
  PositionCost: 3,
  PositionRealized: 4,
  Order: 5,
  OrderOpen: 6,
  Nonce: 7,
  Agent: 8,
  AccountModes: 9,
  Instrument: 10,
  IndexPrice: 11,
  Surface: 12,
  Counter: 13,
  Outcome: 14,
  Deposit: 15,
  Halt: 16,
  FinalOrder: 17,
  Marked: 18,
  Account: 19,
  Config: 20,
  Underlying: 21,
  OrderSize: 22,
  OrderClientId: 23,
  Mmp: 24,
  MmpWindow: 25,
  IndexSample: 26,
  Settlement: 27,
  Payout: 28,
  Funds: 29,
  Liquidation: 30,
  Auction: 31,
  OrderBuilder: 32,
  PerpFunding: 33,
  FundingRound: 34,
  FundingShare: 35,
  Clock: 36,
  MaxIndex: 51,
  Builder: 52,
} as const
const Kind = KindOfVersion1
type Kind = (typeof Kind)[keyof typeof Kind]

const element = new Float64Array(3)
const words = new Uint32Array(element.buffer)

/** The sum of a hash per element in two 32-bit lanes. */
export class HashOfVersion1 implements HashLanes {
  low = 0
  high = 0

  /** Adds the element (kind, a, b) = value; a and b are integers, value any double. */
  add(kind: Kind, a: number, b: number, value: number): void {
    this.#move(1, kind, [a, b, value])
  }

  /** Removes an element, which need not be there. */
  remove(kind: Kind, a: number, b: number, value: number): void {
    this.#move(-1, kind, [a, b, value])
  }

  #move(sign: number, kind: Kind, values: readonly number[]): void {
    element.set(values)
    const first = mix(kind)
    this.low = (this.low + sign * first) | 0
    this.high = (this.high + sign * mixAgain(first)) | 0
  }
}

// Multiply-xorshift rounds after MurmurHash3's 32-bit finaliser, whose constants these are: over the words of
// the value, then of a, then of b.
function mix(kind: Kind): number {
  let h = Math.imul(kind, 0x9e3779b1) ^ words[4]
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + words[5], 0xc2b2ae35)
  h = Math.imul((h ^ (h >>> 16)) + words[0], 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + words[1], 0xc2b2ae35)
  h = Math.imul((h ^ (h >>> 16)) + words[2], 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + words[3], 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function mixAgain(first: number): number {
  let h = Math.imul(first ^ (element[1] | 0) ^ 0x27d4eb2f, 0x165667b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  return h ^ (h >>> 13)
}

/** In the place of an instrument, account or underlying: what is of all of them. */
const ofAll = -1

/**
 * The state hash of version 1, at a batch border.
 * @param hash an empty one, which is returned; a test gives one that counts.
 */
export function hashOfVersion1(state: CoreState, hash = new HashOfVersion1()): HashOfVersion1 {
  addEngine(hash, state)
  addDeposits(hash, state)
  addFunds(hash, state)
  addBuilders(hash, state)
  addClock(hash, state)
  addInstruments(hash, state)
  addUnderlyings(hash, state)
  addAccounts(hash, state)
  addPositions(hash, state)
  for (const slot of state.orders.working()) addOrder(hash, state, slot)
  addFinalOrders(hash, state)
  addSettlements(hash, state)
  for (const row of state.mmp.rows) addProtection(hash, row)
  addFundings(hash, state)
  addLiquidations(hash, state)
  return hash
}

/** An element that is none where its value is 0. */
function addAmount(hash: HashOfVersion1, kind: Kind, a: number, b: number, value: number): void {
  if (value !== 0) hash.add(kind, a, b, value)
}

/** The configuration as the journal has it, if it came from there, and what is counted once there was a batch. */
function addEngine(hash: HashOfVersion1, state: CoreState): void {
  if (state.isConfigured) {
    for (const [i, value] of encodeEngineConfig(state.config).entries()) {
      hash.add(Kind.Config, i, 0, value)
    }
  }
  const { orderCount, tradeCount, batchNumber, nowMillis, sink } = state
  if (batchNumber === 0) return
  hash.add(Kind.Counter, orderCount, tradeCount, sink.seq)
  hash.add(Kind.Counter, -1, batchNumber, nowMillis)
  const { changed, remarked } = state.risk
  if (changed.count === 0) return
  hash.add(Kind.Counter, -1 - changed.count, changed.turn, remarked.count)
}

function addDeposits(hash: HashOfVersion1, { depositIds }: CoreState): void {
  for (const { id, account, amountMicros } of depositIds) {
    hash.add(Kind.Deposit, textNumber(id), 2 + account, amountMicros)
  }
}

/** Balances of fees, insurance and dust; the place behind them is of clearing, which has a kind of its own. */
function addFunds(hash: HashOfVersion1, { funds }: CoreState): void {
  for (let place = 0; place < 3; place++) {
    addAmount(hash, Kind.Funds, place, 0, funds.balanceMicros[place])
  }
  addAmount(hash, Kind.Funds, 4, 0, funds.insuranceDepositsMicros)
  addAmount(hash, Kind.Clearing, 3, 0, funds.clearingLow)
  addAmount(hash, Kind.Clearing, 5, 0, funds.clearingHigh)
}

/** An unlisted builder is no element. */
function addBuilders(hash: HashOfVersion1, { builders }: CoreState): void {
  builders.forEach((address, status) => {
    addAmount(hash, Kind.Builder, addressNumber(address, 0), 0, status)
  })
}

/** A clock that is believed and followed is no element. */
function addClock(hash: HashOfVersion1, { clock }: CoreState): void {
  const { alarm, stepMillis, offsetMillis } = clock
  if (alarm !== 0 || offsetMillis !== 0) hash.add(Kind.Clock, alarm, stepMillis, offsetMillis)
}

function addInstruments(hash: HashOfVersion1, { instruments }: CoreState): void {
  const { underlying, right, tradingMode, state, expiryDate } = instruments
  const { strikeMicros, listedMillis, expiryMillis } = instruments
  for (let id = 0; id < instruments.count; id++) {
    const small = (underlying[id] * 4 + right[id]) * 16 + tradingMode[id] * 4 + state[id]
    hash.add(Kind.Instrument, id, small * 1e8 + expiryDate[id], strikeMicros[id])
    hash.add(Kind.Instrument, -1 - id, listedMillis[id], expiryMillis[id])
  }
}

function addUnderlyings(hash: HashOfVersion1, state: CoreState): void {
  const { instruments, haltModes, marks } = state
  addAmount(hash, Kind.Halt, ofAll, 0, state.haltModeAtListing)
  for (const [underlying, name] of instruments.underlyingNames.entries()) {
    hash.add(Kind.Underlying, underlying, name.length, textNumber(name))
    addAmount(hash, Kind.MaxIndex, underlying, 0, instruments.maxIndexMicros[underlying])
    addHalt(hash, underlying, haltModes[underlying])
    const { indexMicros, indexAtMillis, surfaces } = marks.inputsOf(underlying)
    if (!Number.isNaN(indexMicros)) {
      hash.add(Kind.IndexPrice, underlying, indexAtMillis, indexMicros)
    }
    for (const surface of surfaces) addSurface(hash, underlying, surface)
    addMarked(hash, state, underlying)
  }
}

/** A halt took the open mode of before out of the hash, where it never stood: so an underlying owes it to the hash. */
function addHalt(hash: HashOfVersion1, underlying: number, mode: number): void {
  if (mode === 0) return
  hash.remove(Kind.Halt, underlying, 0, 0)
  hash.add(Kind.Halt, underlying, 0, mode)
}

function addSurface(hash: HashOfVersion1, underlying: number, surface: Surface): void {
  const { kind, expiryMillis, takenAtMillis, referenceIndexMicros, values } = surface
  const isSvi = kind === 1
  hash.add(Kind.Surface, (isSvi ? -1 : -2) * 4096 - underlying, takenAtMillis, expiryMillis)
  if (!Number.isNaN(referenceIndexMicros)) {
    hash.add(Kind.Surface, -1 - underlying, expiryMillis, referenceIndexMicros)
  }
  for (const [i, value] of values.entries()) {
    hash.add(Kind.Surface, i * 4096 + underlying, expiryMillis, value)
  }
}

/** When an underlying was marked, whether it waits to be, and how far that has come. */
function addMarked(hash: HashOfVersion1, { marks, remarks }: CoreState, underlying: number): void {
  const { markedMillis, pendingMillis, pendingInputs } = marks.stateOf(underlying)
  if (!Number.isNaN(markedMillis)) hash.add(Kind.Marked, underlying, 0, markedMillis)
  if (remarks.wanted[underlying] === 1) hash.add(Kind.Marked, underlying, 1, 1)
  if (remarks.running !== underlying) return
  const { indexMicros } = pendingInputs
  hash.add(Kind.Marked, underlying, 2, pendingMillis)
  hash.add(Kind.Marked, underlying, 3, Number.isNaN(indexMicros) ? 0 : indexMicros)
  hash.add(Kind.Marked, underlying, 4, remarks.marked)
}

function addAccounts(hash: HashOfVersion1, { accounts }: CoreState): void {
  const address = new Uint8Array(20)
  for (let account = 0; account < accounts.count; account++) {
    accounts.addresses.write(account, address, 0)
    const head = address[0] * 65536 + address[1] * 256 + address[2]
    hash.add(Kind.Account, account, addressNumber(address, 0), head)
    addAmount(hash, Kind.Cash, account, 1, accounts.depositsMicros[account])
    addAmount(hash, Kind.AccountModes, account, -2, accounts.selfTrade[account])
    for (let index = 0; index < accounts.agents.count(account); index++) {
      accounts.agents.write(account, index, address, 0)
      hash.add(Kind.Agent, account, 0, addressNumber(address, 0))
    }
    addNonces(hash, account, accounts.nonces[account])
    const ofAgents = accounts.agentNonces[account]
    if (ofAgents !== null) addNonces(hash, -1 - account, ofAgents)
    addOutcomes(hash, account, accounts.outcomes[account])
  }
}

/** @param owner the account, or -1 less the account for the nonces of its agents. */
function addNonces(hash: HashOfVersion1, owner: number, nonces: NonceWindow): void {
  nonces.forEach((high, low) => {
    hash.add(Kind.Nonce, owner, high >>> 0, low >>> 0)
  })
  if (nonces.overflowed) hash.add(Kind.Nonce, owner, -1, 1)
}

function addOutcomes(hash: HashOfVersion1, account: number, outcomes: KeptOutcomes): void {
  for (let place = 0; place < outcomes.count; place++) {
    const nonce = outcomes.nonceHigh(place) * 4_294_967_296 + outcomes.nonceLow(place)
    const answer = (account * 8192 - outcomes.result(place)) * 64 + outcomes.command(place)
    hash.add(Kind.Outcome, outcomes.digestNumber(place), nonce, answer)
  }
}

/** Cash, tier and margin mode of the accounts, their positions, and what these have realized. */
function addPositions(hash: HashOfVersion1, { accounts, risk }: CoreState): void {
  const { cashMicros, tier, marginMode, realizedTotalMicros, exposures, firstExposure } = risk
  for (let account = 0; account < accounts.count; account++) {
    addAmount(hash, Kind.Cash, account, 0, cashMicros[account])
    addAmount(hash, Kind.AccountModes, account, -1, 2 * tier[account] + marginMode[account])
    addAmount(hash, Kind.PositionRealized, account, ofAll, realizedTotalMicros[account])
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      const instrument = exposures.instrument[row]
      addAmount(hash, Kind.Position, account, instrument, exposures.positionLots[row])
      addAmount(hash, Kind.PositionCost, account, instrument, exposures.costMicros[row])
      addAmount(hash, Kind.PositionRealized, account, instrument, exposures.realizedMicros[row])
    }
  }
}

function addOrder(hash: HashOfVersion1, { orders }: CoreState, slot: number): void {
  const orderId = orders.orderId[slot]
  const place = (orders.instrument[slot] * 2 + orders.side[slot]) * 256 + orders.tif[slot] * 32
  const terms = (place + orders.flags[slot]) * 16_777_216 + orders.account[slot]
  hash.add(Kind.Order, orderId, terms, orders.priceMicros[slot])
  hash.add(Kind.OrderSize, orderId, orders.createdMillis[slot], orders.sizeLots[slot])
  const filled = orders.filledLots[slot] === 0 ? 0 : orders.filledMicros[slot] + 1
  hash.add(Kind.OrderOpen, orderId, filled, orders.openLots[slot])
  const { bytes } = orders.texts
  if (orders.hasBuilder[slot] === 1) {
    hash.add(Kind.OrderBuilder, orderId, 0, addressNumber(bytes, orders.builderAt(slot)))
  }
  const clientIdBytes = orders.clientIdBytes[slot]
  if (clientIdBytes === 0) return
  const from = orders.clientIdAt(slot)
  const clientId = codesNumber(bytes.subarray(from, from + clientIdBytes))
  hash.add(Kind.OrderClientId, orderId, clientIdBytes, clientId)
}

/** Of orders that ended, those whose facts are held and those of which only the end is known. */
function addFinalOrders(hash: HashOfVersion1, { orders, orderIndex }: CoreState): void {
  const { orderId, account, status } = orders
  orderIndex.forEachFinal((slot) => {
    const place = Math.floor(orderId[slot] / 1024) % 2_097_152
    hash.add(Kind.FinalOrder, place, account[slot], status[slot])
  })
  orderIndex.forEachForgotten((first, words) => {
    for (const [i, word] of words.entries()) {
      if ((word & 15) !== 0) hash.add(Kind.FinalOrder, first + i, word >>> 4, word & 15)
    }
  })
}

function addSettlements(hash: HashOfVersion1, { settlements }: CoreState): void {
  addAmount(hash, Kind.Payout, 0, 0, settlements.payoutCount)
  settlements.forEachSample((underlying, observedMillis, priceMicros) => {
    hash.add(Kind.IndexSample, underlying, observedMillis, priceMicros)
  })
  for (const row of settlements.rows) addSettlement(hash, row)
}

function addSettlement(hash: HashOfVersion1, row: Settlement): void {
  const { underlying, expiryMillis, phase, source, isNew, step, validCount, priceMicros } = row
  const put = (field: number, value: number) =>
    hash.add(Kind.Settlement, underlying * 16 + field, expiryMillis, value)
  const small = (step * 8 + phase) * 4 + source * 2 + Number(isNew)
  put(0, Number.isNaN(priceMicros) ? 0 : priceMicros)
  put(1, small * 1_000_000 + validCount)
  put(2, row.accountNext)
  const { owedMicros, clearingMicros, countedMicros, lackingMicros, borneMicros } = row
  const sums = [owedMicros, clearingMicros, countedMicros, lackingMicros, borneMicros]
  for (const [place, sum] of sums.entries()) {
    put(3 + place, lowPart(sum))
    if (highPart(sum) !== 0) put(8 + place, highPart(sum))
  }
}

/** Terms, nonce and freeze of a protection; of a window with fills its sums, ends and length. */
function addProtection(hash: HashOfVersion1, row: MmpRow): void {
  const key = row.account * 1024 + row.underlying
  const { intervalMillis, frozenMillis, limitMicros, nonceHigh, nonceLow } = row
  const upperNonce = (nonceHigh >>> 0) * 1_048_576 + (nonceLow >>> 12)
  const terms = [intervalMillis, frozenMillis, ...limitMicros, upperNonce, nonceLow]
  for (const [field, value] of terms.entries()) hash.add(Kind.Mmp, key, field, value)
  hash.add(Kind.MmpWindow, key, 0, row.frozenUntilMillis)
  const { sums, entries, head, count } = row
  if (count === 0) return
  // Entries of eight numbers in a ring, the time first.
  const millisAt = (index: number) => entries[((head + index) * 8) % entries.length]
  const window = [...sums, millisAt(0), millisAt(count - 1), count]
  for (const [place, value] of window.entries()) {
    hash.add(Kind.MmpWindow, key, 1 + place, value)
  }
}

function addFundings(hash: HashOfVersion1, { fundings }: CoreState): void {
  addAmount(hash, Kind.PerpFunding, ofAll, 0, fundings.paymentCount)
  for (const perp of fundings.perps) {
    const { periodMillis, sampledMillis, sampleCount, premiumNanos, rateNanos, endMillis } = perp
    const values = [periodMillis, sampledMillis, sampleCount, premiumNanos, rateNanos, endMillis]
    for (const [field, value] of values.entries()) {
      addAmount(hash, Kind.PerpFunding, perp.instrument, field, value)
    }
  }
  for (const round of fundings.rounds) addRound(hash, round)
}

/** Terms and progress of a round, and what the holders hold who wait for their turn. */
function addRound(hash: HashOfVersion1, round: FundingRound): void {
  const { instrument, endMillis, rateNanos, indexMicros, sampleCount, holderCount } = round
  const { clearingMicros: sum, accounts, lots, next } = round
  const values = [rateNanos, indexMicros, lowPart(sum), sampleCount, holderCount, highPart(sum)]
  for (const [field, value] of values.entries()) {
    addAmount(hash, Kind.FundingRound, instrument * 8 + field, endMillis, value)
  }
  for (let i = next; i < accounts.length; i++) {
    hash.add(Kind.FundingShare, instrument * 16_777_216 + accounts[i], endMillis, lots[i])
  }
}

/** What of a liquidation was a element, by its number. */
const liquidationFields = [
  'state',
  'mode',
  'enteredMillis',
  'purging',
  'repricedMillis',
  'targetMicros',
  'bonusBps',
  'auction',
  'auctionMillis',
  'version',
  'positionsVersion',
  'insolventMillis',
  'winner',
  'bonusMicros',
  'insuranceMicros',
  'deleveragedMicros',
  'uncoveredMicros',
  'feeMicros',
  'waiting',
  'revived',
  'standingMillis',
  'stoodMillis',
  'sharedMicros',
] as const satisfies readonly (keyof Liquidation)[]

function addLiquidations(hash: HashOfVersion1, { liquidations }: CoreState): void {
  addAmount(hash, Kind.Auction, 0, 0, liquidations.auctionCount)
  for (const row of liquidations.rows) {
    for (const [index, field] of liquidationFields.entries()) {
      addAmount(hash, Kind.Liquidation, row.account, index, row[field])
    }
  }
}

/** The last six bytes of an address. */
function addressNumber(source: Uint8Array, at: number): number {
  let number = 0
  for (let i = 14; i < 20; i++) number = number * 256 + source[at + i]
  return number
}

function textNumber(text: string): number {
  return codesNumber(Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)))
}

/** Character codes or bytes folded to a number below 2^53. */
function codesNumber(codes: Iterable<number>): number {
  let a = 0x811c9dc5
  let b = 0
  for (const code of codes) {
    a = Math.imul(a ^ code, 0x01000193)
    b = (Math.imul(b, 31) + code) | 0
  }
  return (a >>> 0) * 1_048_576 + (b & 0xfffff)
}
