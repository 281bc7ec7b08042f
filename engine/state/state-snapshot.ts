import { assert } from '../../schemas/assert.js'
import { clientIdBytesMax, commandsPerBatchMax, underlyingsMax } from '../../schemas/bounds.js'
import { type HaltMode, InstrumentState } from '../../schemas/domain.js'
import { DoneCommand, ResultRecord } from '../../schemas/generated/results.js'
import type { SurfaceKind } from '../../schemas/record-values.js'
import { DoneOutcome } from '../../schemas/record-values.js'
import { none } from '../memory/rows.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import type { MarkInputs, SettlementEstimate } from '../pricing/mark-inputs.js'
import { Surface } from '../pricing/surface.js'
import { type CoreState, saveDeposit } from './core-state.js'
import { decodeEngineConfig } from './engine-config.js'
import { loadLiquidations, saveLiquidations } from './liquidation-snapshot.js'
import { builderWords, clientIdWords } from './order-texts.js'
import { restoreRemarks } from './remark-queue.js'
import { sendPlace } from './send-order.js'
import { saveClosing, saveConfig, saveCounters, saveMarks, saveUnderlying } from './state-cells.js'

/** A client id, NUL padded, and the builder behind it. */
const textWords = new Int32Array(clientIdWords + builderWords)
const textBytes = new Uint8Array(textWords.buffer)

/** Of the number of underlyings; the halt mode that new ones begin with stands above them. */
const countBits = 16
assert(underlyingsMax < 2 ** countBits, 'snapshot: the number of underlyings fits its bits')

const section = {
  engine: 1,
  instruments: 2,
  accounts: 3,
  marks: 4,
  risk: 5,
  orders: 6,
  finals: 7,
  settlements: 8,
  mmp: 9,
  liquidations: 10,
  fundings: 11,
  clock: 12,
} as const

/** Writes everything that a core needs to go on as if it had never stopped; derived sums are left out. */
export function saveState(state: CoreState, writer: StateWriter): void {
  writer.section(section.engine)
  saveConfig(state, writer)
  saveCounters(state, writer)
  writer.i32(state.depositIds.size)
  for (const [id, deposit] of state.depositIds) saveDeposit(id, deposit, writer)
  state.funds.save(writer)
  state.builders.save(writer)
  saveClosing(state, writer)
  saveInstruments(state, writer)
  saveAccounts(state, writer)
  saveMarkets(state, writer)
  writer.section(section.risk)
  state.risk.save(writer)
  saveOrders(state, writer)
  saveFinals(state, writer)
  writer.section(section.settlements)
  state.settlements.save(writer)
  writer.section(section.mmp)
  state.mmp.save(writer)
  writer.section(section.fundings)
  state.fundings.save(writer)
  writer.section(section.liquidations)
  saveLiquidations(state, writer)
  writer.section(section.clock)
  state.clock.save(writer)
}

/** Fills a fresh state from a snapshot: books, sums and hash come back with it. */
export function loadState(state: CoreState, reader: StateReader): void {
  reader.section(section.engine)
  const isConfigured = reader.i32() === 1
  const values = Float64Array.from({ length: reader.i32() }, () => reader.f64())
  state.configure(decodeEngineConfig(values))
  state.isConfigured = isConfigured
  state.orderCount = reader.f64()
  state.tradeCount = reader.f64()
  state.nowMillis = reader.f64()
  state.batchNumber = reader.f64()
  state.sink.seq = reader.f64()
  for (let i = reader.i32(); i > 0; i--) {
    const id = reader.text()
    state.addDepositId(id, { account: reader.i32(), amountMicros: reader.f64() })
  }
  state.funds.load(reader)
  state.builders.load(reader)
  for (let i = reader.i32(); i > 0; i--) state.closing.push(reader.i32())
  state.hash.note(state.cells.closing)
  loadInstruments(state, reader)
  loadAccounts(state, reader)
  loadMarks(state, reader)
  reader.section(section.risk)
  state.risk.load(reader)
  loadOrders(state, reader)
  loadFinals(state, reader)
  reader.section(section.settlements)
  state.settlements.load(reader)
  reader.section(section.mmp)
  loadMmp(state, reader)
  reader.section(section.fundings)
  state.fundings.load(reader)
  reader.section(section.liquidations)
  loadLiquidations(state, reader)
  reader.section(section.clock)
  state.clock.load(reader)
  state.cells.close()
  assert(reader.atEnd(), 'snapshot: read to its end')
}

/** Protection comes back behind the orders that rest: none of them is asked whether its wallet is frozen. */
function loadMmp(state: CoreState, reader: StateReader): void {
  const { matchers, mmp } = state
  mmp.load(reader)
  for (const row of mmp.rows) {
    matchers.restoreProtection(matchers.of(row.underlying), row, state.nowMillis)
  }
}

function saveInstruments(state: CoreState, writer: StateWriter): void {
  const { instruments } = state
  writer.section(section.instruments)
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
  reader.section(section.instruments)
  const counted = reader.i32()
  for (let i = counted & (2 ** countBits - 1); i > 0; i--) {
    const underlying = state.addUnderlying(reader.text())
    state.setHaltMode(underlying, reader.i32())
    state.setMaxIndex(underlying, reader.f64())
  }
  state.haltListings((counted >>> countBits) as HaltMode)
  for (let i = reader.i32(); i > 0; i--) {
    const id = instruments.load(reader)
    instruments.hashRow(id, state.hash, true)
    if (instruments.state[id] === InstrumentState.Active) state.awaitExpiry(id)
  }
}

function saveAccounts(state: CoreState, writer: StateWriter): void {
  const { accounts } = state
  const address = new Uint8Array(20)
  writer.section(section.accounts)
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
  const { accounts } = state
  const { noncesKept, outcomesKept } = state.config
  reader.section(section.accounts)
  for (let i = reader.i32(); i > 0; i--) {
    const account = accounts.open(reader.bytes(20), 0, noncesKept, outcomesKept)
    accounts.loadColumns(account, reader)
    accounts.agents.load(account, reader)
    accounts.nonces[account].load(reader)
    if (reader.i32() === 1) accounts.agentNoncesOf(account, noncesKept).load(reader)
    accounts.noteWindows(account)
    accounts.outcomes[account].load(reader)
  }
}

function saveMarkets(state: CoreState, writer: StateWriter): void {
  writer.section(section.marks)
  for (let u = 0; u < state.instruments.underlyingNames.length; u++) {
    saveMarks(state, u, writer)
  }
  writer.i32(state.remarks.marked)
}

function loadMarks(state: CoreState, reader: StateReader): void {
  reader.section(section.marks)
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

/** Working orders, instrument by instrument and oldest first: the order in which their books queue them. */
function saveOrders(state: CoreState, writer: StateWriter): void {
  const { orders, instruments } = state
  writer.section(section.orders)
  for (let instrument = 0; instrument < instruments.count; instrument++) {
    let slot = orders.firstOf(instrument)
    for (; slot !== none; slot = orders.nextInInstrument[slot]) {
      writer.i32(1)
      saveOrder(state, slot, writer)
    }
  }
  writer.i32(0)
}

function loadOrders(state: CoreState, reader: StateReader): void {
  reader.section(section.orders)
  const resting = new Int32Array(state.matchers.count)
  while (reader.i32() === 1) {
    const slot = loadOrder(state, reader)
    state.startOrder(slot)
    const instrument = state.orders.instrument[slot]
    if (state.instruments.state[instrument] !== InstrumentState.Active) continue
    const matcher = state.matchers.of(state.instruments.underlying[instrument])
    sendPlace(state, 0, slot)
    if (++resting[matcher] === commandsPerBatchMax) awaitRested(state, matcher, resting)
  }
  for (let matcher = 0; matcher < state.matchers.count; matcher++) {
    awaitRested(state, matcher, resting)
  }
}

/** Restored orders go back into their books by age, behind those that are older: each of them only rests. */
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
  writer.section(section.finals)
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
  reader.section(section.finals)
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
