import { NewOrder, startNewOrder } from '../engine/core/orders/decide-order.js'
import { linkOwnMatchers } from '../engine/core/replica.js'
import { Batch } from '../engine/state/batch.js'
import { CoreState } from '../engine/state/core-state.js'
import { EventSink } from '../engine/state/event-sink.js'
import { engineConfigDefault } from '../engine/state/market/engine-config.js'
import { lotsPerContract, microsPerUsd } from '../schemas/bounds.js'
import { type Right, type Side, TradingMode } from '../schemas/domain.js'
import { AnyCommand, CommandType, PlaceOrderCommand } from '../schemas/generated/commands.js'
import { viewsOf } from '../schemas/record-views.js'
import { bytesInUse } from './bytes-in-use.js'
import type { BenchResult } from './measure/bench-result.js'

export interface CoreMemoryOptions {
  readonly orders: number
  readonly wallets: number
}

const ordersPerWallet = 1000
const instruments = 100
const clientIdBytes = 16
/** Every nth order has a client id. */
const clientIdEvery = 3
const startMillis = Date.UTC(2026, 0, 1)

/**
 * Measures the core's memory per position, resting order and wallet: objects and typed arrays, after a garbage collection.
 * Orders start as the core starts them for commands. Nonces and kept acknowledgements of the wallets are not included.
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
  const place = newOrder()
  const command = new AnyCommand().of(place)
  const accepted = new NewOrder()
  const empty = bytesInUse().total
  for (let wallet = 0; wallet < wallets; wallet++) {
    for (let i = 0; i < instruments; i++) state.risk.exposureFor(wallet, i)
  }
  const before = bytesInUse().total
  for (let i = 0; i < count; i++) {
    const account = i % wallets
    const instrument = Math.floor(i / wallets) % instruments
    batch.begin(i + 1)
    const ticket = batch.add(command, account)
    batch.instrument[ticket] = instrument
    fillIn(place, i)
    const { priceMicros, side, sizeLots } = place
    Object.assign(accepted.check, { account, instrument, priceMicros, side, sizeLots })
    batch.touch(startNewOrder(state, batch, ticket, accepted))
  }
  const after = bytesInUse().total
  // Checked after the measurement, so that the state is still reachable during it.
  if (state.orders.high !== count) throw new Error('core memory: an order is missing')
  const exposures = wallets * instruments
  const unit = 'bytes'
  return [
    {
      name: 'core.memory.position',
      unit,
      value: Math.round((before - empty) / exposures),
      range: null,
      extra: { places: exposures, wallets, instruments },
    },
    {
      name: 'core.memory.order',
      unit,
      value: Math.round((after - before) / count),
      range: null,
      extra: { about: 'every third with a client id', orders: count, clientIdBytes },
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
    range: null,
    extra: { about: 'with cash; windows of nonces and results are empty', wallets: count },
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

function newOrder(): PlaceOrderCommand {
  const place = new PlaceOrderCommand().over(viewsOf(new ArrayBuffer(PlaceOrderCommand.bytes)), 0)
  place.recordBytes = PlaceOrderCommand.bytes
  place.recordType = CommandType.PlaceOrder
  return place
}

function fillIn(place: PlaceOrderCommand, number: number): void {
  place.priceMicros = (1000 + (number % 500)) * microsPerUsd
  place.sizeLots = lotsPerContract
  place.side = (number & 1) as Side
  const hasClientId = number % clientIdEvery === 0
  place.clientIdText = hasClientId ? String(number).padStart(clientIdBytes, 'c') : ''
}
