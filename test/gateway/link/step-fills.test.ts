import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../bench/event-script.js'
import { followEvents } from '../../../bench/follow-events.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { logReaders } from '../../../engine/memory/exchange-memory.js'
import { InstrumentNames } from '../../../gateway/link/instrument-names.js'
import { StepFills } from '../../../gateway/link/step-fills.js'
import { EventType, InstrumentEvent } from '../../../schemas/generated/events.js'

const wallet = walletOf(1)
const expiryMillis = Date.UTC(2030, 5, 28, 8)

function rig() {
  const memory = smallMemory()
  const script = new EventScript(memory, 1000)
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const names = new InstrumentNames()
  const fills = new StepFills(names)
  script.instrument(0, 'BTC-20300628-100000-C', 0, expiryMillis)
  const instrument = new InstrumentEvent()
  const read = () => {
    script.commit()
    followEvents(log, (event) => {
      if (event.recordType === EventType.Instrument) names.take(instrument.of(event))
      fills.onEvent(event)
    })
  }
  const fill = (orderId: number, of = wallet, isTaker = true) =>
    script.fill({
      ...{ fillId: 2, isTaker },
      ...{ tradeId: 1, orderId, instrument: 0, wallet: of, account: 0 },
      ...{ priceMicros: 5_500_000, sizeLots: 25_000_000 },
    })
  read()
  return { fills, fill, read }
}

test('fills of a pending order come with its acknowledgement, and those of others do not', () => {
  const { fills, fill, read } = rig()
  fill(7)
  read()
  fills.begin(wallet)
  fill(8)
  fill(8)
  fill(9, walletOf(2))
  fill(7, wallet, false)
  read()
  const one = { coin: 'BTC', side: 'Buy', size: '0.25', price: '5.5', time: 1000 }
  assert.deepEqual(fills.end(wallet, 8), [one, one])
  fill(10)
  read()
  assert.deepEqual(fills.end(wallet, 10), [], 'nobody waits for it any more')
})

test('two orders of a wallet are distinguished, and the second keeps waiting', () => {
  const { fills, fill, read } = rig()
  fills.begin(wallet)
  fills.begin(wallet)
  fill(8)
  read()
  assert.equal(fills.end(wallet, 8).length, 1)
  fill(9)
  read()
  assert.equal(fills.end(wallet, 9).length, 1)
  fill(9)
  read()
  assert.deepEqual(fills.end(wallet, 9), [])
})

test("while a wallet's order is pending, the fills of its other orders do not accumulate", () => {
  const { fills, fill, read } = rig()
  fills.begin(wallet)
  for (let orderId = 100; orderId < 200; orderId++) {
    fills.begin(wallet)
    fill(orderId)
    fill(50, wallet, false)
    read()
    fills.end(wallet, 0)
  }
  assert.equal(fills.count, 1)
})

test('a cleared order is not pending', () => {
  const { fills, fill, read } = rig()
  fills.begin(wallet)
  fill(8)
  read()
  fills.clear()
  assert.deepEqual(fills.end(wallet, 8), [])
})
