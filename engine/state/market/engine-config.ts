import { assert } from '../../../schemas/assert.js'
import {
  addresses,
  defaultsOf,
  type EngineValues,
  either,
  integer,
  isRow,
  millionths,
  named,
  onOff,
  type Row,
  shaped,
  type Table,
  under,
  usernames,
} from '../../../schemas/parameter.js'
import { addressBytes, formatAddress, parseAddress } from '../../../schemas/wallet.js'
import { bandTable } from '../../pricing/price-bands.js'
import { pricingTable } from '../../pricing/pricing-parameters.js'
import { riskTable, type Scenario } from '../../pricing/scenarios.js'
import { liquidationTable } from '../../risk/liquidation-parameters.js'
import { feeTable } from '../../risk/trading-fees.js'
import { fundingTable } from './funding-parameters.js'
import { settlementTable } from './settlement-parameters.js'

/** Names that a client would take for the venue's own. */
const usernamesReserved = [
  ...['admin', 'administrator', 'moderator', 'official', 'operator', 'staff', 'strikebook'],
  ...['support', 'system'],
]

const kept = [1000, 1 << 20] as const

/** Values in journals of every version. */
const firstTable = {
  ...under('risk', {
    standardIsDefinedRisk: named(
      'model',
      either(
        'standard',
        ['standard', 'defined_risk'],
        'margin model of the margin mode `standard`',
      ),
    ),
    portfolioModeAllowed: named(
      'portfolioEnabled',
      onOff(true, 'allow the margin mode `portfolio`'),
    ),
  }),
  ...under('pricing', {
    remarkMillis: integer(1000, [10, 1000, 'ms'], 'maximum time between re-marks'),
    // Less than 0.1 ms of work. An order may have to wait for a running slice, for one of its own batch, and for the
    // swap of thousands of instruments: less than 1 ms in total.
    remarkRows: integer(32, [1, 100_000], 'instruments that one engine step re-marks'),
    // Less than 0.2 ms of work. A wallet with more positions is checked in a batch of its own.
    remarkedPositions: integer(
      1024,
      [1, 1_000_000],
      'positions that an engine step checks after a re-mark',
    ),
  }),
  ...under('limits', {
    noncesKept: integer(65_536, kept, 'used nonces kept exactly, per wallet'),
    outcomesKept: integer(1000, kept, 'results kept for retries, per wallet'),
  }),
  // Indexed by `Tier`.
  tiers: [
    under('limits.default', tierRows(60, 120, 600, 100, 50)),
    under('limits.tier1', tierRows(30, 60, 300, 50, 20)),
    under('limits.tier2', tierRows(120, 300, 1200, 500, 200)),
    under('limits.market_maker', tierRows(600, 1200, 6000, 2000, -1)),
  ],
  pricing: pricingTable,
  risk: riskTable,
  bands: bandTable,
  settlement: settlementTable,
  ...under(
    'mmp',
    { countTakerFills: onOff(false, 'also count taker fills of orders with mmp_enabled') },
    'mmp',
  ),
  liquidation: liquidationTable,
  fees: feeTable,
  perpFunding: fundingTable,
  ...under('underlyings', {
    // By underlying; the default is a multiple of the index at listing. The file has them with the other settings of an
    // underlying.
    maxIndexMicros: named(
      '*.maxIndex',
      shaped(
        'indexes',
        {} as Readonly<Record<string, number>>,
        'highest index price that the venue accepts',
      ),
    ),
  }),
  ...under('fees', { builders: addresses('addresses of active builders') }),
  ...under('operator', { signers: addresses('addresses that may sign SetUserTier') }, 'operator'),
} as const

/** Settings of requests for quote. */
const rfqTable = {
  rfq: under('rfq', {
    responseDeadlineMillis: integer(5000, [1, 600_000, 'ms'], 'time for quotes of providers'),
    lifetimeMillis: integer(30_000, [1, 3_600_000, 'ms'], 'maximum lifetime of a request'),
    maxOpenPerWallet: integer(20, [1, 1000], 'maximum open requests per wallet'),
    priceByMarks: named(
      'legPricing',
      either(
        'quoted',
        ['quoted', 'marks'],
        'prices at which legs trade: the quoted prices, or marks',
      ),
    ),
  }),
  ...under('mmp', { includeRfq: onOff(false, 'also count fills of requests for quote') }, 'mmp'),
} as const

/** Settings of auctions. */
const auctionTable = {
  rpi: under('rpi', {
    auctionMillis: integer(250, [1, 60_000, 'ms'], 'maximum time that an order waits for quotes'),
    minImprovementTick: millionths(
      0.0001,
      [0.000001, 1_000_000, 'USD'],
      'minimum improvement of a quote over the book, where the price step is smaller',
    ),
  }),
} as const

/** Settings of withdrawals. */
const withdrawTable = {
  withdrawals: under('withdrawals', {
    minAmount: millionths(5, [0.000001, 1_000_000, 'USD'], 'minimum amount of a withdrawal'),
  }),
} as const

/** Settings of usernames. */
const usernameTable = {
  usernames: under('usernames', {
    moderated: named('moderation', onOff(false, 'usernames need the approval of the operator')),
    reserved: usernames(usernamesReserved, 'reserved usernames'),
  }),
} as const

/**
 * All parameters of the engine's decisions. They are journaled in the order of the rows, so that a replay decides the
 * same. Adding or removing a row therefore changes the format of the journal.
 */
export const engineTable = {
  ...firstTable,
  ...rfqTable,
  ...auctionTable,
  ...withdrawTable,
  ...usernameTable,
} as const

/** Journaled and hashed only up to the last value that differs from its default, so that a release can append rows. */
const laterTables: readonly Table[] = [rfqTable, auctionTable, withdrawTable, usernameTable]

export type EngineConfig = EngineValues<typeof engineTable>
/** Limits of one tier. */
export type TierLimits = EngineConfig['tiers'][number]

export const engineConfigDefault: EngineConfig = defaultsOf(engineTable)

/** Encodes the configuration as numbers, for the journal: a text is its length and its character codes. */
export function encodeEngineConfig(config: EngineConfig): Float64Array {
  const out = encoded(firstTable, config)
  const later = laterTables.map((table) => encoded(table, config))
  while (later.length > 0 && isDefault(laterTables[later.length - 1], later.at(-1)!)) later.pop()
  return Float64Array.from([...out, ...later.flat()])
}

/** Reads what `encodeEngineConfig` wrote. */
export function decodeEngineConfig(values: Float64Array): EngineConfig {
  let at = 0
  const next = () => values[at++]
  const config: EngineConfig = { ...engineConfigDefault, ...(decode(firstTable, next) as object) }
  for (const table of laterTables) {
    if (at < values.length) Object.assign(config, decode(table, next))
  }
  assert(at === values.length, 'engine configuration: length')
  return config
}

function encoded(table: Table, config: EngineConfig): readonly number[] {
  const out: number[] = []
  encode(table, config, out)
  return out
}

function isDefault(table: Table, values: readonly number[]): boolean {
  const defaults = encoded(table, engineConfigDefault)
  return values.every((value, index) => value === defaults[index])
}

function tierRows(orders: number, cancels: number, requests: number, open: number, held: number) {
  const rate = [1, 1_000_000_000, 'a minute'] as const
  return {
    ordersPerMinute: integer(orders, rate, 'new orders and replacements'),
    cancelsPerMinute: integer(cancels, rate, 'cancels'),
    requestsPerMinute: named(
      'apiRequestsPerMinute',
      integer(requests, rate, 'other signed writes, and reads of the wallet'),
    ),
    openOrdersMax: integer(open, [1, 1_000_000_000], 'maximum working orders'),
    positionsMax: integer(held, [-1, 1_000_000_000], 'maximum positions; -1: unlimited'),
  }
}

function encode(table: Table, value: unknown, out: number[]): void {
  if (isRow(table)) {
    encodeValue(table, value, out)
    return
  }
  if (Array.isArray(table)) out.push(table.length)
  const values = value as Readonly<Record<string, unknown>>
  for (const [name, node] of Object.entries(table)) encode(node, values[name], out)
}

function decode(table: Table, next: () => number): unknown {
  if (isRow(table)) return decodeValue(table, next)
  const isList = Array.isArray(table)
  if (isList) assert(next() === table.length, 'engine configuration: as many as there are')
  const entries = Object.entries(table).map(([name, node]) => [name, decode(node, next)] as const)
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

function encodeValue(row: Row, value: unknown, out: number[]): void {
  if (row.kind === 'list') encodeList(value as readonly string[], itemCodes[row.of].encode, out)
  else if (row.kind !== 'shaped') out.push(Number(value))
  else if (row.shape === 'scenarios') encodeList(value as readonly Scenario[], encodeScenario, out)
  else encodeList(Object.entries(value as Readonly<Record<string, number>>), encodeIndex, out)
}

function decodeValue(row: Row, next: () => number): unknown {
  const list = <Item>(decodeItem: (next: () => number) => Item) =>
    Array.from({ length: next() }, () => decodeItem(next))
  if (row.kind === 'list') return list(itemCodes[row.of].decode)
  if (row.kind === 'switch' || row.kind === 'either') return next() === 1
  if (row.kind !== 'shaped') return next()
  return row.shape === 'scenarios' ? list(decodeScenario) : Object.fromEntries(list(decodeIndex))
}

function encodeList<Item>(
  items: readonly Item[],
  encodeItem: (item: Item, out: number[]) => void,
  out: number[],
): void {
  out.push(items.length)
  for (const item of items) encodeItem(item, out)
}

const scenarioKeys = [
  'kind',
  'spotShift',
  'volShift',
  'skew',
  'kurtosis',
  'weightPermille',
] as const satisfies readonly (keyof Scenario)[]

function encodeScenario(scenario: Scenario, out: number[]): void {
  encodeText(scenario.id, out)
  for (const key of scenarioKeys) out.push(scenario[key])
  out.push(Number(scenario.isTail))
}

function decodeScenario(next: () => number): Scenario {
  const id = decodeText(next)
  const values = Object.fromEntries(scenarioKeys.map((key) => [key, next()]))
  return { id, ...values, isTail: next() === 1 } as Scenario
}

function encodeIndex([name, micros]: readonly [string, number], out: number[]): void {
  encodeText(name, out)
  out.push(micros)
}

function decodeIndex(next: () => number): readonly [string, number] {
  return [decodeText(next), next()]
}

function encodeText(text: string, out: number[]): void {
  out.push(text.length)
  for (let i = 0; i < text.length; i++) out.push(text.charCodeAt(i))
}

function decodeText(next: () => number): string {
  return String.fromCharCode(...Array.from({ length: next() }, next))
}

/** Codecs by the type of list items. */
const itemCodes = {
  address: { encode: encodeAddress, decode: decodeAddress },
  username: { encode: encodeText, decode: decodeText },
  text: { encode: encodeText, decode: decodeText },
} as const

/** Encodes an address as five 32-bit numbers. */
function encodeAddress(text: string, out: number[]): void {
  const bytes = parseAddress(text)
  assert(bytes !== null, 'engine configuration: signers and builders are addresses')
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < addressBytes; at += 4) out.push(view.getUint32(at))
}

function decodeAddress(next: () => number): string {
  const bytes = new Uint8Array(addressBytes)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < addressBytes; at += 4) view.setUint32(at, next())
  return formatAddress(bytes, 0)
}
