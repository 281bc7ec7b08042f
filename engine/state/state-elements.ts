import { SurfaceKind } from '../../schemas/record-values.js'
import { element, HashKind, StateHash } from '../memory/state-hash.js'
import { addressNumber } from './address-table.js'
import type { CoreState } from './core-state.js'
import type { NonceWindow } from './nonces.js'

// The elements of the state hash, each in one place: called with `adds` false before a change of what they are made
// of and with true after it, and with true for everything that a snapshot brings back.

const address = new Uint8Array(20)

/** Terms and state of an instrument. */
export function hashInstrument(state: CoreState, instrument: number, adds: boolean): void {
  const { instruments, hash } = state
  const { underlying, right, tradingMode, state: states, expiryDate } = instruments
  const small = (underlying[instrument] * 4 + right[instrument]) * 16
  const terms = (small + tradingMode[instrument] * 4 + states[instrument]) * 1e8
  const strike = instruments.strikeMicros[instrument]
  const [listed, expiry] = [
    instruments.listedMillis[instrument],
    instruments.expiryMillis[instrument],
  ]
  put(hash, adds, HashKind.Instrument, instrument, terms + expiryDate[instrument], strike)
  put(hash, adds, HashKind.Instrument, -1 - instrument, listed, expiry)
}

/** Name of an underlying, whose index stands in instruments and order ids. */
export function hashUnderlying(state: CoreState, underlying: number): void {
  const name = state.instruments.underlyingNames[underlying]
  state.hash.add(HashKind.Underlying, underlying, name.length, textNumber(name))
}

/** Latest index observation of an underlying, if there is one. */
export function hashIndex(state: CoreState, underlying: number, adds: boolean): void {
  const { indexMicros, indexAtMillis } = state.marks.inputsOf(underlying)
  if (Number.isNaN(indexMicros)) return
  put(state.hash, adds, HashKind.IndexPrice, underlying, indexAtMillis, indexMicros)
}

/** Surface of an expiry, if it has one. */
export function hashSurface(
  state: CoreState,
  underlying: number,
  expiryMillis: number,
  adds: boolean,
): void {
  const { surfaces } = state.marks.inputsOf(underlying)
  const surface = surfaces.find((candidate) => candidate.expiryMillis === expiryMillis)
  if (surface === undefined) return
  const { hash } = state
  const kind = surface.kind === SurfaceKind.Svi ? -1 : -2
  const { takenAtMillis, referenceIndexMicros } = surface
  put(hash, adds, HashKind.Surface, kind * underlyingStep - underlying, takenAtMillis, expiryMillis)
  if (!Number.isNaN(referenceIndexMicros)) {
    put(hash, adds, HashKind.Surface, -1 - underlying, expiryMillis, referenceIndexMicros)
  }
  for (const [i, value] of surface.values.entries()) {
    put(hash, adds, HashKind.Surface, i * underlyingStep + underlying, expiryMillis, value)
  }
}

const underlyingStep = 4096

/** Address of a new account, whose index stands in everything else that it owns. */
export function hashAccount(state: CoreState, account: number): void {
  state.accounts.addresses.write(account, address, 0)
  const tail = addressNumber(address, 0)
  state.hash.add(
    HashKind.Account,
    account,
    tail,
    address[0] * 65536 + address[1] * 256 + address[2],
  )
}

/** Net deposits and self-trade mode of an account; the defaults are no element. */
export function hashOwner(state: CoreState, account: number, adds: boolean): void {
  const { accounts, hash } = state
  const depositsMicros = accounts.depositsMicros[account]
  if (depositsMicros !== 0) put(hash, adds, HashKind.Cash, account, 1, depositsMicros)
  const mode = accounts.selfTrade[account]
  if (mode !== 0) put(hash, adds, HashKind.AccountModes, account, -2, mode)
}

/** What never changes of the working order in `slot`. */
export function hashOrder(state: CoreState, slot: number, adds: boolean): void {
  const { orders, hash } = state
  const place = (orders.instrument[slot] * 2 + orders.side[slot]) * 256 + orders.tif[slot] * 32
  element[0] = orders.orderId[slot]
  element[1] = (place + orders.flags[slot]) * 16_777_216 + orders.account[slot]
  element[2] = orders.priceMicros[slot]
  putElement(hash, adds, HashKind.Order)
  element[1] = orders.createdMillis[slot]
  element[2] = orders.sizeLots[slot]
  putElement(hash, adds, HashKind.OrderSize)
  if (orders.hasBuilder[slot] === 1) {
    element[1] = 0
    element[2] = addressNumber(orders.texts.bytes, orders.builderAt(slot))
    putElement(hash, adds, HashKind.OrderBuilder)
  }
  const bytes = orders.clientIdBytes[slot]
  if (bytes === 0) return
  element[1] = bytes
  foldClientId(state, slot)
  putElement(hash, adds, HashKind.OrderClientId)
}

/** What fills change of the working order in `slot`, its open size as it stands there. */
export function hashOpen(state: CoreState, slot: number, adds: boolean): void {
  const { orderId, openLots, filledLots, filledMicros } = state.orders
  element[0] = orderId[slot]
  element[1] = filledLots[slot] === 0 ? 0 : filledMicros[slot] + 1
  element[2] = openLots[slot]
  putElement(state.hash, adds, HashKind.OrderOpen)
}

/** Outcome that a wallet's repeat would be answered with. */
export function hashOutcome(state: CoreState, account: number, place: number, adds: boolean): void {
  const outcomes = state.accounts.outcomes[account]
  element[0] = outcomes.digestNumber(place)
  element[1] = outcomes.nonceHigh(place) * 4_294_967_296 + outcomes.nonceLow(place)
  element[2] = (account * 8192 - outcomes.result(place)) * 64 + outcomes.command(place)
  putElement(state.hash, adds, HashKind.Outcome)
}

/** All outcomes kept of an account. */
export function hashOutcomes(state: CoreState, account: number, adds: boolean): void {
  const { count } = state.accounts.outcomes[account]
  for (let place = 0; place < count; place++) hashOutcome(state, account, place, adds)
}

/** In the place of an account, in elements about the nonces that its agents have used. */
export function agentsNumber(account: number): number {
  return -1 - account
}

/** One nonce of an account, or of its agents, by halves that may be signed. */
export function hashNonce(
  hash: StateHash,
  account: number,
  high: number,
  low: number,
  adds: boolean,
): void {
  element[0] = account
  element[1] = high >>> 0
  element[2] = low >>> 0
  putElement(hash, adds, HashKind.Nonce)
}

/** All nonces kept of an account and its agents, and whether some were dropped. */
export function hashNonces({ accounts, hash }: CoreState, account: number, adds: boolean): void {
  hashWindow(hash, account, accounts.nonces[account], adds)
  const ofAgents = accounts.agentNonces[account]
  if (ofAgents !== null) hashWindow(hash, agentsNumber(account), ofAgents, adds)
}

function hashWindow(hash: StateHash, owner: number, nonces: NonceWindow, adds: boolean): void {
  nonces.forEach((high, low) => {
    hashNonce(hash, owner, high, low, adds)
  })
  if (nonces.overflowed) put(hash, adds, HashKind.Nonce, owner, -1, 1)
}

/** What `CoreState.counted` holds: values as the hash has them. */
const countedAt = {
  orders: 0,
  trades: 1,
  seq: 2,
  batch: 3,
  millis: 4,
  waiting: 5,
  turn: 6,
  remarked: 7,
} as const
export const countedLength = 8

/** Moves everything counted, and the time, to their values now: at the end of each batch, and after a load. */
export function moveCounters(state: CoreState): void {
  const { hash, counted } = state
  const { changed, remarked } = state.risk
  if (counted[countedAt.batch] > 0) putCounters(hash, counted, false)
  counted[countedAt.orders] = state.orderCount
  counted[countedAt.trades] = state.tradeCount
  counted[countedAt.seq] = state.sink.seq
  counted[countedAt.batch] = state.batchNumber
  counted[countedAt.millis] = state.nowMillis
  counted[countedAt.waiting] = changed.count
  counted[countedAt.turn] = changed.turn
  counted[countedAt.remarked] = remarked.count
  putCounters(hash, counted, true)
}

function putCounters(hash: StateHash, counted: Float64Array, adds: boolean): void {
  const { orders, trades, seq, batch, millis, waiting, turn, remarked } = countedAt
  put(hash, adds, HashKind.Counter, counted[orders], counted[trades], counted[seq])
  put(hash, adds, HashKind.Counter, -1, counted[batch], counted[millis])
  if (counted[waiting] === 0) return
  put(hash, adds, HashKind.Counter, -1 - counted[waiting], counted[turn], counted[remarked])
}

/**
 * The state hash without what is only counted: equal before and after whatever changes nothing of anybody, though it
 * has taken a sequence and a batch.
 */
export function hashOfElements({ hash, counted }: CoreState): StateHash {
  const elements = new StateHash()
  elements.low = hash.low
  elements.high = hash.high
  if (counted[countedAt.batch] > 0) putCounters(elements, counted, false)
  return elements
}

/** The configuration, as it is journaled. */
export function hashConfig(hash: StateHash, values: Float64Array, adds: boolean): void {
  for (const [i, value] of values.entries()) put(hash, adds, HashKind.Config, i, 0, value)
}

/** The client id folded to a number below 2^53, as the value of the element. */
function foldClientId(state: CoreState, slot: number): void {
  const { orders } = state
  const { bytes } = orders.texts
  const from = orders.clientIdAt(slot)
  const to = from + orders.clientIdBytes[slot]
  let a = 0x811c9dc5
  let b = 0
  for (let i = from; i < to; i++) {
    a = Math.imul(a ^ bytes[i], 0x01000193)
    b = (Math.imul(b, 31) + bytes[i]) | 0
  }
  element[2] = (a >>> 0) * 1_048_576 + (b & 0xfffff)
}

/** A text folded to a number below 2^53. */
export function textNumber(text: string): number {
  let a = 0x811c9dc5
  let b = 0
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193)
    b = (Math.imul(b, 31) + text.charCodeAt(i)) | 0
  }
  return (a >>> 0) * 1_048_576 + (b & 0xfffff)
}

function put(
  hash: StateHash,
  adds: boolean,
  kind: HashKind,
  a: number,
  b: number,
  value: number,
): void {
  if (adds) hash.add(kind, a, b, value)
  else hash.remove(kind, a, b, value)
}

function putElement(hash: StateHash, adds: boolean, kind: HashKind): void {
  if (adds) hash.addElement(kind)
  else hash.removeElement(kind)
}
