import type { CompetitionMetric } from '../../schemas/domain.js'
import {
  CommandType,
  IndexPricesCommand,
  ListInstrumentCommand,
  SetCompetitionCommand,
  VolSurfaceCommand,
} from '../../schemas/generated/commands.js'
import type { SurfaceKind } from '../../schemas/record-values.js'
import type { RecordSink } from '../../schemas/record-views.js'
import type { InstrumentSymbol } from '../../schemas/symbol.js'
import { type Content, writeContent } from '../actions/command-content.js'
import { writeKey } from '../wire/instrument-key.js'

/** Writes a command into a zeroed record. @returns False if the sink has no room. */
export type OperatorCommand = (sink: RecordSink) => boolean

/** One observation of an index. */
export interface IndexObservation {
  readonly underlying: string
  readonly priceMicros: number
  readonly observedMillis: number
}

/** Arguments of a record's `claim` after the sink: its type, if several are possible, or its length. */
type Claim<Record> = Record extends { claim(sink: RecordSink, ...claim: infer Rest): boolean }
  ? Rest
  : never

/** Returns the command with this record and content. */
export function commandOf<Record extends { claim(sink: RecordSink, ...claim: never): boolean }>(
  Command: new () => Record,
  content: Content<Record>,
  ...claim: Claim<Record>
): OperatorCommand {
  return (sink) => {
    const record = new Command()
    if (!record.claim(sink, ...(claim as never))) return false
    writeContent(record, content)
    return true
  }
}

/** Returns the command that lists an option or perp. @param expiryMillis Exact time of expiry, Unix milliseconds. */
export function listCommand(
  symbol: InstrumentSymbol,
  expiryMillis: number,
  tradingMode: number,
): OperatorCommand {
  const write = (listing: ListInstrumentCommand) => {
    writeKey(listing.key, symbol)
    listing.expiryMillis = expiryMillis
    listing.tradingMode = tradingMode
  }
  return commandOf(ListInstrumentCommand, write, CommandType.ListInstrument)
}

/** Returns the command with index observations, at most `indexEntriesMax`. */
export function indexCommand(observations: readonly IndexObservation[]): OperatorCommand {
  const { length } = observations
  const write = (prices: IndexPricesCommand) => {
    prices.count = length
    observations.forEach(({ underlying, priceMicros, observedMillis }, i) => {
      writeContent(prices.entries(i), { underlyingText: underlying, priceMicros, observedMillis })
    })
  }
  return commandOf(IndexPricesCommand, write, IndexPricesCommand.bytesWith(length))
}

/** Returns the command with a volatility input that has passed `checkSurface`. */
export function surfaceCommand(
  underlying: string,
  expiryMillis: number,
  surfaceKind: SurfaceKind,
  values: Float64Array,
): OperatorCommand {
  const { length } = values
  const write = (surface: VolSurfaceCommand) => {
    writeContent(surface, { underlyingText: underlying, expiryMillis, surfaceKind, count: length })
    surface.valuesView(length).set(values)
  }
  return commandOf(VolSurfaceCommand, write, VolSurfaceCommand.bytesWith(length))
}

/** Competition as the operator describes it. */
export interface CompetitionWish {
  /** 0: identified by its name. */
  readonly id: number
  readonly startMillis: number
  readonly endMillis: number
  /** Primary one first. */
  readonly winConditions: readonly CompetitionMetric[]
  readonly name: string
  /** These three are empty if not given. */
  readonly description: string
  readonly rulesUrl: string
  readonly rulesContent: string
}

/** Returns the command that creates or changes a competition. Its texts must be within their limits. */
export function competitionCommand(wish: CompetitionWish): OperatorCommand {
  const { description, endMillis, id, name, rulesContent, rulesUrl, startMillis } = wish
  const texts = [name, description, rulesUrl, rulesContent].map((text) => Buffer.from(text))
  const [nameBytes, descriptionBytes, urlBytes, rulesBytes] = texts.map(({ length }) => length)
  const all = Buffer.concat(texts)
  const write = (competition: SetCompetitionCommand) => {
    writeContent(competition, {
      ...{ competitionId: id, startMillis, endMillis },
      conditions: conditionsOf(wish.winConditions),
      ...{ nameBytes, descriptionBytes, urlBytes, rulesBytes },
      count: all.length,
    })
    competition.u8.set(all, competition.textsAt)
  }
  return commandOf(SetCompetitionCommand, write, SetCompetitionCommand.bytesWith(all.length))
}

/** Packs win conditions as in records. */
function conditionsOf(metrics: readonly CompetitionMetric[]): number {
  return metrics.reduce((conditions, metric, index) => conditions | (metric << (2 * index)), 0)
}
