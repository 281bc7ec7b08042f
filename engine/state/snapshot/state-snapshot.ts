import { assert } from '../../../schemas/assert.js'
import { clientIdBytesMax, commandsPerBatchMax, underlyingsMax } from '../../../schemas/bounds.js'
import { type HaltMode, InstrumentState, OrderStatus } from '../../../schemas/domain.js'
import { DoneCommand, ResultRecord } from '../../../schemas/generated/results.js'
import type { SurfaceKind } from '../../../schemas/record-values.js'
import { DoneOutcome } from '../../../schemas/record-values.js'
import { none } from '../../memory/rows.js'
import type { StateReader, StateWriter } from '../../memory/state-codec.js'
import type { MarkInputs, SettlementEstimate } from '../../pricing/mark-inputs.js'
import { Surface } from '../../pricing/surface.js'
import type { CoreState } from '../core-state.js'
import { decodeEngineConfig } from '../market/engine-config.js'
import { builderWords, clientIdWords } from '../orders/order-texts.js'
import { restoreRemarks } from '../remark-queue.js'
import { sendPlace } from '../send-order.js'
import { saveClosing, saveConfig, saveCounters, saveMarks, saveUnderlying } from '../state-cells.js'
import { loadLiquidations, saveLiquidations } from './liquidation-snapshot.js'

/** A client id, NUL padded, followed by the builder. */
const textWords = new Int32Array(clientIdWords + builderWords)
const textBytes = new Uint8Array(textWords.buffer)

/** Bits of the number of underlyings; the halt mode of new underlyings is stored above them. */
const countBits = 16
assert(underlyingsMax < 2 ** countBits, 'snapshot: the number of underlyings fits its bits')

interface Section {
  readonly tag: number
  /** First snapshot format that has this section; absent if every readable format has it. */
  readonly since?: number
  readonly save: (state: CoreState, writer: StateWriter) => void
  readonly load: (state: CoreState, reader: StateReader) => void
}

/** Sections of a snapshot, in their order. */
const sections: readonly Section[] = [
  { tag: 1, save: saveEngine, load: loadEngine },
  { tag: 2, save: saveInstruments, load: loadInstruments },
  { tag: 3, save: saveAccounts, load: loadAccounts },
  { tag: 4, save: saveMarkets, load: loadMarkets },
  sectionOf(5, ({ risk }) => risk),
  { tag: 6, save: saveOrders, load: loadOrders },
  { tag: 7, save: saveFinals, load: loadFinals },
  sectionOf(8, ({ settlements }) => settlements),
  { tag: 9, save: ({ mmp }, writer) => mmp.save(writer), load: loadMmp },
  sectionOf(11, ({ fundings }) => fundings),
  { tag: 10, save: saveLiquidations, load: loadLiquidations },
  sectionOf(12, ({ clock }) => clock),
  sectionOf(13, ({ providers }) => providers),
  sectionOf(14, ({ rfqs }) => rfqs),
  {
    tag: 15,
    save: ({ auctions }, writer) => auctions.save(writer),
    load: ({ auctions, orderIndex }, reader) => auctions.load(reader, orderIndex),
  },
  sectionOf(16, ({ safety }) => safety),
  sectionOf(19, ({ usernames }) => usernames),
  sectionOf(21, ({ referrals }) => referrals),
  sectionOf(22, ({ push }) => push),
  sectionOf(17, ({ withdrawals }) => withdrawals),
  sectionOf(18, ({ apiWallets }) => apiWallets),
  sectionOf(20, ({ competitions }) => competitions),
  sectionOf(24, ({ notedFiles }) => notedFiles),
  sectionOf(25, ({ walletStops }) => walletStops),
]

/** Builds a section of an object that saves and loads itself. */
function sectionOf(
  tag: number,
  part: (state: CoreState) => {
    save(writer: StateWriter): void
    load(reader: StateReader): void
  },
): Section {
  return {
    tag,
    save: (state, writer) => part(state).save(writer),
    load: (state, reader) => part(state).load(reader),
  }
}

/** Writes everything that a core needs to continue as if it had never stopped, without derived sums. */
export function saveState(state: CoreState, writer: StateWriter): void {
  for (const { tag, save } of sections) {
    writer.section(tag)
    save(state, writer)
  }
}

/**
 * Fills a fresh state from a snapshot, including books, sums and hash. State without a section in an earlier format
 * stays as in an empty engine.
 * @param formatVersion default: that of this engine.
 */
export function loadState(
  state: CoreState,
  reader: StateReader,
  formatVersion: number = Number.POSITIVE_INFINITY,
): void {
  for (const { tag, load, since = 0 } of sections) {
    if (since > formatVersion) continue
    reader.section(tag)
    load(state, reader)
  }
  state.cells.close()
  assert(reader.atEnd(), 'snapshot: read to its end')
}

/** Reads the number of assigned order ids from the beginning of a saved state. */
export function savedOrderCount(reader: StateReader): number {
  reader.section(sections[0].tag)
  readConfig(reader)
  return reader.f64()
}

function saveEngine(state: CoreState, writer: StateWriter): void {
  saveConfig(state, writer)
  saveCounters(state, writer)
  state.depositIds.save(writer)
  state.funds.save(writer)
  state.builders.save(writer)
  saveClosing(state, writer)
}

function loadEngine(state: CoreState, reader: StateReader): void {
  const { isConfigured, values } = readConfig(reader)
  state.configure(decodeEngineConfig(values))
  state.isConfigured = isConfigured
  // `savedOrderCount` relies on the position of the next value.
  state.orderCount = reader.f64()
  state.tradeCount = reader.f64()
  state.nowMillis = reader.f64()
  state.batchNumber = reader.f64()
  state.sink.seq = reader.f64()
  state.depositIds.load(reader)
  state.funds.load(reader)
  state.builders.load(reader)
  for (let i = reader.i32(); i > 0; i--) state.closing.push(reader.i32())
  state.hash.note(state.cells.closing)
}

function readConfig(reader: StateReader) {
  const isConfigured = reader.i32() === 1
  return { isConfigured, values: Float64Array.from({ length: reader.i32() }, () => reader.f64()) }
}

/** Restores protections after the resting orders, so that no order is checked for a freeze of its wallet. */
function loadMmp(state: CoreState, reader: StateReader): void {
  const { matchers, mmp } = state
  mmp.load(reader)
  for (const row of mmp.rows) {
    matchers.restoreProtection(matchers.of(row.underlying), row, state.nowMillis)
  }
}

function saveInstruments(state: CoreState, writer: StateWriter): void {
  const { instruments } = state
  writer.i32(instruments.underlyingNames.length | (state.haltModeAtListing << countBits))
  for (const underlying of instruments.underlyingNames.keys()) {
    saveUnderlying(state, underlying, writer)
  }
  writer.i32(instruments.count)
  for (let id = 0; id < instruments.count; id++) {
    instruments.saveRow(id, writer)
  }
}

function loadInstruments(state: CoreState, reader: StateReader): void {
  const { instruments } = state
  const countAndMode = reader.i32()
  for (let i = countAndMode & (2 ** countBits - 1); i > 0; i--) {
    const underlying = state.addUnderlying(reader.text())
    state.setHaltMode(underlying, reader.i32())
    state.setMaxIndex(underlying, reader.f64())
  }
  state.haltListings((countAndMode >>> countBits) as HaltMode)
  for (let i = reader.i32(); i > 0; i--) {
    const id = instruments.load(reader)
    instruments.hashRow(id, state.hash, true)
    if (instruments.state[id] === InstrumentState.Active) state.awaitExpiry(id)
  }
}

function saveAccounts(state: CoreState, writer: StateWriter): void {
  const { accounts } = state
  const address = new Uint8Array(20)
  writer.i32(accounts.count)
  for (let account = 0; account < accounts.count; account++) {
    accounts.addresses.write(account, address, 0)
    writer.bytes(address)
    accounts.saveRow(account, writer)
    accounts.agents.save(account, writer)
    accounts.nonces[account].save(writer)
    const ofAgents = accounts.agentNonces[account]
    writer.i32(ofAgents === null ? 0 : 1)
    ofAgents?.save(writer)
    accounts.outcomes[account].save(writer)
  }
}

function loadAccounts(state: CoreState, reader: StateReader): void {
  const { accounts, hash } = state
  const { noncesKept, outcomesKept } = state.config
  for (let i = reader.i32(); i > 0; i--) {
    const account = accounts.open(reader.bytes(20), 0, noncesKept, outcomesKept)
    accounts.hashRow(account, hash, false)
    accounts.loadRow(account, reader)
    accounts.hashRow(account, hash, true)
    accounts.agents.load(account, reader)
    accounts.nonces[account].load(reader)
    if (reader.i32() === 1) accounts.agentNoncesOf(account, noncesKept).load(reader)
    accounts.noteWindows(account)
    accounts.outcomes[account].load(reader)
  }
}

function saveMarkets(state: CoreState, writer: StateWriter): void {
  for (let u = 0; u < state.instruments.underlyingNames.length; u++) {
    saveMarks(state, u, writer)
  }
  writer.i32(state.remarks.marked)
}

function loadMarkets(state: CoreState, reader: StateReader): void {
  const wanted: number[] = []
  for (let u = 0; u < state.instruments.underlyingNames.length; u++) {
    const inputs = loadInputs(reader)
    const markedInputs = loadInputs(reader)
    const markedMillis = reader.f64()
    const pendingInputs = loadInputs(reader)
    const pendingMillis = reader.f64()
    state.marks.restore(u, { inputs, markedInputs, markedMillis, pendingInputs, pendingMillis })
    if (reader.i32() === 1) wanted.push(u)
  }
  restoreRemarks(state, wanted, reader.i32())
}

function loadInputs(reader: StateReader): MarkInputs {
  const indexMicros = reader.f64()
  const indexAtMillis = reader.f64()
  const surfaces = Array.from({ length: reader.i32() }, () => {
    const kind = reader.i32() as SurfaceKind
    const [expiryMillis, takenAtMillis, index] = [reader.f64(), reader.f64(), reader.f64()]
    const values = Float64Array.from({ length: reader.i32() }, () => reader.f64())
    return new Surface(kind, expiryMillis, takenAtMillis, index, values)
  })
  const estimates = Array.from(
    { length: reader.i32() },
    (): SettlementEstimate => ({ expiryMillis: reader.f64(), priceMicros: reader.f64() }),
  )
  return { indexMicros, indexAtMillis, surfaces, estimates }
}

/** Saves working orders by instrument, oldest first: the order in which their books queue them. */
function saveOrders(state: CoreState, writer: StateWriter): void {
  for (const slot of state.orders.working()) {
    writer.i32(1)
    saveOrder(state, slot, writer)
  }
  writer.i32(0)
}

function loadOrders(state: CoreState, reader: StateReader): void {
  const resting = new Int32Array(state.matchers.count)
  while (reader.i32() === 1) {
    const slot = loadOrder(state, reader)
    state.startOrder(slot)
    const instrument = state.orders.instrument[slot]
    if (state.instruments.state[instrument] !== InstrumentState.Active) continue
    // The order waits for quotes.
    if (state.orders.status[slot] === OrderStatus.Acked) continue
    const matcher = state.matchers.of(state.instruments.underlying[instrument])
    sendPlace(state, 0, slot)
    if (++resting[matcher] === commandsPerBatchMax) awaitRested(state, matcher, resting)
  }
  for (let matcher = 0; matcher < state.matchers.count; matcher++) {
    awaitRested(state, matcher, resting)
  }
}

/** Waits until the matcher has restored the orders sent. They enter their books by age, so each of them only rests. */
function awaitRested(state: CoreState, matcher: number, resting: Int32Array): void {
  const { matchers } = state
  const ring = matchers.results[matcher]
  const done = new DoneCommand()
  matchers.commit()
  while (resting[matcher] > 0) {
    const at = ring.next()
    if (at < 0) {
      ring.release()
      matchers.awaitMatcher(matcher)
      continue
    }
    const type = done.over(ring, at).recordType
    assert(type === ResultRecord.Level || type === ResultRecord.Done, 'snapshot: no crossed book')
    if (type !== ResultRecord.Done) continue
    assert(done.outcome === DoneOutcome.Rested, 'snapshot: orders rest')
    resting[matcher]--
  }
  ring.release()
}

function saveFinals(state: CoreState, writer: StateWriter): void {
  const { orderIndex } = state
  orderIndex.forEachFinal((slot) => {
    writer.i32(1)
    saveOrder(state, slot, writer)
  })
  writer.i32(0)
  writer.f64(orderIndex.counterMax)
  orderIndex.forEachForgotten((place, words) => {
    writer.i32(words.length)
    writer.i32(place)
    writer.bytes(new Uint8Array(words.buffer, words.byteOffset, words.byteLength))
  })
  writer.i32(0)
}

function loadFinals(state: CoreState, reader: StateReader): void {
  const { orderIndex } = state
  while (reader.i32() === 1) {
    orderIndex.restoreFinal(loadOrder(state, reader))
  }
  orderIndex.restoreCounterMax(reader.f64())
  for (let count = reader.i32(); count !== 0; count = reader.i32()) {
    const place = reader.i32()
    for (let i = 0; i < count; i++) orderIndex.restoreForgotten(place + i, reader.i32())
  }
}

function saveOrder(state: CoreState, slot: number, writer: StateWriter): void {
  const { orders } = state
  orders.saveRow(slot, writer)
  const bytes = orders.clientIdBytes[slot]
  orders.copyClientId(slot, textWords, 0)
  orders.copyBuilder(slot, textWords, clientIdWords)
  writer.i32(bytes)
  writer.bytes(textBytes.subarray(0, bytes))
  writer.bytes(textBytes.subarray(clientIdBytesMax))
}

function loadOrder(state: CoreState, reader: StateReader): number {
  const { orders } = state
  const slot = orders.take()
  // A final order has none; a working one gets its own when it starts.
  orders.exposure[slot] = none
  orders.loadRow(slot, reader)
  const bytes = reader.i32()
  textBytes.fill(0)
  textBytes.set(reader.bytes(bytes))
  textBytes.set(reader.bytes(builderWords * 4), clientIdBytesMax)
  orders.setTexts(slot, textWords, bytes, 0, clientIdWords)
  return slot
}
