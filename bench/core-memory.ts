import { startNewOrder } from '../engine/core/decide-order.js'
import { linkOwnMatchers } from '../engine/core/replica.js'
import { writeText } from '../engine/memory/bytes.js'
import { Batch } from '../engine/state/batch.js'
import { CoreState } from '../engine/state/core-state.js'
import { engineConfigDefault } from '../engine/state/engine-config.js'
import { EventSink } from '../engine/state/event-sink.js'
import { lotsPerContract, microsPerUsd } from '../schemas/bounds.js'
import {
  placeClientIdAt,
  placeClientIdBytesAt,
  placeOrderBytes,
  placePriceMicrosAt,
  placeSideAt,
  placeSizeLotsAt,
} from '../schemas/commands.js'
import { type Right, TradingMode } from '../schemas/domain.js'
import { CommandType } from '../schemas/generated/commands.js'
import type { BenchResult } from './bench-result.js'
import { bytesInUse } from './bytes-in-use.js'

export interface CoreMemoryOptions {
  readonly orders: number
  readonly wallets: number
}

const ordersPerWallet = 1000
const instruments = 100
const clientIdBytes = 16
/** One order in so many carries a client id. */
const clientIdEvery = 3
const startMillis = Date.UTC(2026, 0, 1)

/**
 * Memory of the core per position, resting order and wallet: everything that its state holds more
 * of, objects and typed arrays, after a garbage collection. Orders are started as the core starts
 * those of commands; what a place leaves in a wallet's nonces and kept outcomes is no part of it.
 */
export function runCoreMemoryBench(options: CoreMemoryOptions): BenchResult[] {
  return [...measureOrders(options.orders), measureWallets(options.wallets)]
}

function measureOrders(count: number): BenchResult[] {
  const state = newState()
  const batch = new Batch()
  const wallets = Math.ceil(count / ordersPerWallet)
  openWallets(state, wallets)
  listInstruments(state)
  const record = newRecord()
  const empty = bytesInUse().total
  for (let wallet = 0; wallet < wallets; wallet++) {
    for (let i = 0; i < instruments; i++) state.risk.exposureFor(wallet, i)
  }
  const before = bytesInUse().total
  for (let i = 0; i < count; i++) {
    batch.begin(i + 1)
    const ticket = batch.add(record, 0, CommandType.PlaceOrder, i % wallets)
    batch.instrument[ticket] = Math.floor(i / wallets) % instruments
    writeOrder(record, i)
    batch.touch(startNewOrder(state, batch, ticket, i % wallets))
  }
  const after = bytesInUse().total
  // Asked after the measurement, so that the state is still in use during it.
  if (state.orders.high !== count) throw new Error('core memory: an order is missing')
  const exposures = wallets * instruments
  const unit = 'bytes'
  return [
    {
      name: 'core.memory.position',
      unit,
      value: Math.round((before - empty) / exposures),
      range: '',
      extra: `${exposures} places of ${wallets} wallets in ${instruments} instruments`,
    },
    {
      name: 'core.memory.order',
      unit,
      value: Math.round((after - before) / count),
      range: '',
      extra: `${count} resting orders in these, every third with a client id of ${clientIdBytes} bytes`,
      threshold: { atMost: 128 },
    },
  ]
}

function measureWallets(count: number): BenchResult {
  const state = newState()
  const before = bytesInUse().total
  openWallets(state, count)
  const bytes = (bytesInUse().total - before) / count
  if (state.accounts.count !== count) throw new Error('core memory: a wallet is missing')
  return {
    name: 'core.memory.wallet',
    unit: 'bytes',
    value: Math.round(bytes),
    range: '',
    extra: `${count} wallets with cash; their windows of nonces and outcomes are there, and empty`,
    threshold: { atMost: 2048 },
  }
}

function newState(): CoreState {
  return new CoreState(engineConfigDefault, new EventSink(null), linkOwnMatchers({ core: null }))
}

function openWallets(state: CoreState, count: number): void {
  const address = new Uint8Array(20)
  const words = new Uint32Array(address.buffer)
  for (let wallet = 0; wallet < count; wallet++) {
    for (let word = 0; word < 5; word++) words[word] = Math.imul(wallet * 5 + word + 1, 0x9e3779b1)
    state.deposit(state.openAccount(address, 0), 1000 * microsPerUsd)
  }
}

function listInstruments(state: CoreState): void {
  for (let i = 0; i < instruments; i++) {
    state.instruments.add({
      underlyingName: 'BTC',
      expiryDate: 20_260_131,
      expiryMillis: startMillis,
      strikeMicros: (50_000 + 1000 * (i >> 1)) * microsPerUsd,
      right: (i & 1) as Right,
      tradingMode: TradingMode.Both,
      listedMillis: startMillis,
    })
  }
}

type Record = ReturnType<typeof newRecord>

function newRecord() {
  const u8 = new Uint8Array(placeOrderBytes)
  return {
    u8,
    i32: new Int32Array(u8.buffer),
    u32: new Uint32Array(u8.buffer),
    f64: new Float64Array(u8.buffer),
  }
}

function writeOrder({ f64, i32, u8 }: Record, number: number): void {
  f64[placePriceMicrosAt >> 3] = (1000 + (number % 500)) * microsPerUsd
  f64[placeSizeLotsAt >> 3] = lotsPerContract
  i32[placeSideAt >> 2] = number & 1
  const hasClientId = number % clientIdEvery === 0
  i32[placeClientIdBytesAt >> 2] = hasClientId ? clientIdBytes : 0
  const text = hasClientId ? String(number).padStart(clientIdBytes, 'c') : ''
  writeText(text, u8, placeClientIdAt, clientIdBytes)
}
