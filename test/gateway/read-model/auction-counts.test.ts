import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../bench/event-script.js'
import { allocateCounters, CounterName, Counters } from '../../../engine/memory/counters.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { ReadModel } from '../../../gateway/read-model/read-model.js'
import { RfqKind, RfqStatus } from '../../../schemas/domain.js'
import { RfqChange } from '../../../schemas/record-values.js'
import { emitRfq, rfqUuid } from '../../support/rfq-script.js'

const { Created, Executed, Expired, Failed, NoQuotes, SentToQps } = RfqStatus

test('each begin and end of an auction counts once, and nothing else counts', () => {
  const small = smallMemory()
  const memory = { ...small, counters: allocateCounters(small.gateways + 16) }
  const script = new EventScript(memory, 1000)
  const config = { testnet: false, minTradeLots: 1, chainMillis: 250, refusesUnknown: false }
  const model = new ReadModel(memory, { engine: engineConfigDefault, ...config }, () => 1000)
  let number = 0
  const tell = (
    statuses: readonly RfqStatus[],
    kind: RfqKind = RfqKind.Auction,
    change: RfqChange = RfqChange.Status,
  ) => {
    const rfqId = rfqUuid(++number)
    for (const status of statuses) {
      emitRfq(script, { rfqId, wallet: walletOf(1), status, kind, change })
    }
  }
  tell([Created, Executed])
  script.bootstrapBegin()
  tell([SentToQps], RfqKind.Auction, RfqChange.Bootstrap)
  script.bootstrapEnd()
  tell([Created, SentToQps, Executed])
  tell([Created, NoQuotes])
  tell([Created, SentToQps, Expired])
  tell([Created, SentToQps, Failed])
  tell([Created, SentToQps])
  tell([Created, NoQuotes], RfqKind.Auto)
  script.commit()
  model.doWork()
  const counters = new Counters(memory.counters, 0)
  const { AuctionsBegun, AuctionsExecuted, AuctionsExpired, AuctionsFailed, AuctionsNoQuotes } =
    CounterName
  const counted = [
    AuctionsBegun,
    AuctionsExecuted,
    AuctionsNoQuotes,
    AuctionsExpired,
    AuctionsFailed,
  ].map((name) => counters.total(name))
  assert.deepEqual(counted, [5, 1, 1, 1, 1])
})
