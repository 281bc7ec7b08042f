import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { cursorBytes, paddingType } from '../../../engine/memory/layout.js'
import { FillStates } from '../../../engine/risk/fill-states.js'
import { LiquidationTable } from '../../../engine/state/market/liquidation-table.js'
import { builderWords } from '../../../engine/state/orders/order-texts.js'
import { Liquidation } from '../../../engine/tables/generated/liquidation.js'
import { AnyEvent } from '../../../schemas/generated/events.js'
import { LiquidationState } from '../../../schemas/record-values.js'
import { type Found, firstFailing as firstOf, tradingAlone } from '../../support/planted-fault.js'
import { VirtualDisk } from '../disk/virtual-disk.js'
import type { VirtualFile } from '../disk/virtual-file.js'
import { faultKinds } from '../run/fault-plan.js'
import { commandLine, type Shrunk, shrink } from '../shrink.js'
import type { Seams } from '../simulated-exchange.js'
import { simulate } from '../simulation.js'

// A simulator that cannot fail proves nothing: each test plants a fault that the simulator must report.

const stepsShort = 200
/** Enough steps for wallets to open positions and lose more than they have. */
const stepsToDebts = 400
/** Funding rounds are rare: books of perps seldom have both sides to the depth that counts. */
const stepsToFunding = 400

test('the simulator finds a disk that lies about its flushes by the flushed data it loses', () => {
  const { result, options } = failing({ disk: () => new LyingDisk() })
  // Writes of an earlier life may also reappear after those of a later one, which they do not continue.
  const what =
    /batch \d+ was flushed|event \d+ was published|is missing|journal damaged|replay diverged/
  assert.match(result.failure!.what, what)
  assert.ok(options.without!.size < faultKinds.length, 'it takes a crash to show it')
})

test('the simulator finds a reader that ignores the durable offset and reads what a crash takes back', () => {
  const { result } = firstFailing(
    { reader: (memory, index) => new EagerReader(memory, index) },
    stepsShort,
  )
  assert.match(
    result.failure!.what,
    /was published|is missing|works twice|published before, differently|JournalLoss/,
  )
})

test('the simulator finds a core with a wrong state hash without any other fault', () => {
  const { result, options } = failing({
    disturb: (state) => {
      if (state.batchNumber === 6) state.hash.low ^= 4
    },
  })
  assert.match(result.failure!.what, /another state/)
  assert.equal(options.without!.size, faultKinds.length, 'every kind of fault was left out')
  assert.ok(options.steps < stepsShort / 2, `${options.steps} steps`)
  assert.match(
    commandLine(options),
    /--seed \d+ --steps \d+ --without requests,auctions,services,safety,caps,crash,power/,
  )
})

test('the simulator finds a risk-reducing order that skips the check of its fills', (t) => {
  t.mock.method(FillStates.prototype, 'enter', () => {})
  const { result } = firstFailing({}, stepsToDebts, 72)
  assert.match(result.failure!.what, /slack \((im|mm|free)\) falls|lots uncovered/)
})

test('the simulator finds money that the core makes out of nothing', () => {
  const { result } = firstFailing(
    {
      disturb: (state) => {
        if (state.batchNumber === 20) state.risk.cashMicros[0]!++
      },
    },
    stepsShort,
  )
  assert.match(result.failure!.what, /hold \d+ micros, deposits were \d+/)
})

test('the simulator finds an expiry that does not come to zero', () => {
  const { result } = firstFailing(
    {
      disturb: ({ settlements }) => {
        for (const row of settlements.busy) row.clearingMicros++
      },
    },
    stepsShort,
    5,
  )
  assert.match(result.failure!.what, /clearing is|add up to|cash is|another state|in phase/)
})

test('the simulator finds funding that does not come to zero', () => {
  const disturb: Seams['disturb'] = ({ fundings }) => {
    for (const round of fundings.rounds) round.clearingMicros++
  }
  const { result } = firstFailing({ disturb }, stepsToFunding, 47)
  assert.match(result.failure!.what, /clearing is|add up to|cash is|another state|in phase/)
})

test('the simulator finds a holder that pays its funding twice', () => {
  const disturb: Seams['disturb'] = ({ fundings }) => {
    const [round] = fundings.rounds
    if (round !== undefined && round.next > 0) round.next--
  }
  const { result } = firstFailing({ disturb }, stepsToFunding, 47)
  assert.match(result.failure!.what, /pays twice|micros of dust|another state/)
})

test('the simulator finds a snapshot that omits the builders of orders', () => {
  const { result } = firstFailing(
    {
      disturb: ({ orders }) => {
        orders.copyBuilder = (_slot, target, to) => {
          target.fill(0, to, to + builderWords)
        }
      },
    },
    stepsShort,
  )
  assert.match(result.failure!.what, /a snapshot loads as another state|has another state/)
})

test('the simulator finds a debt that no record states', () => {
  const { result } = firstFailing(
    {
      disturb: ({ batchNumber, risk }) => {
        if (batchNumber !== 20) return
        risk.cashMicros[0]! -= 1e14
        risk.cashMicros[1]! += 1e14
      },
    },
    stepsShort,
  )
  assert.match(result.failure!.what, /account 0 owes \d+ and is healthy/)
})

test("the simulator finds a fund payment that no wallet's record states", () => {
  const { result } = forged((row, before) => {
    row.insuranceMicros = before.insuranceMicros
  })
  assert.match(result.failure!.what, /the fund paid \d+ for nobody/)
})

test('the simulator finds a recorded loss that nobody has borne', () => {
  const { result } = forged((row) => {
    if (row.state === LiquidationState.PreLiquidation) row.deleveragedMicros = 1
  })
  assert.match(result.failure!.what, /nobody was deleveraged for it|cost others, the fund holds/)
})

test('the simulator finds a recorded debt that no wallet owes', () => {
  const { result } = forged((row) => {
    if (row.state === LiquidationState.Liquidated) row.uncoveredMicros = 1
  })
  assert.match(result.failure!.what, /cost others, the fund holds \d+|ends at \d+, 1 open/)
})

test("the simulator finds a cleared wallet's debt that its record omits", () => {
  const { result } = forged((row, before) => {
    row.uncoveredMicros = 0
    row.insuranceMicros = before.insuranceMicros
  })
  assert.match(result.failure!.what, /for nobody|on record are 0|ends at|it owes/)
})

test('the simulator finds a forgotten nonce that works twice', () => {
  const { result } = firstFailing(
    {
      disturb: ({ accounts }) => {
        for (const window of accounts.nonces) {
          window.isBurned = () => false
        }
        for (const outcomes of accounts.outcomes) outcomes.find = () => -1
      },
    },
    stepsShort,
  )
  assert.match(result.failure!.what, /works twice|is missing|another/)
})

test('a failing run fails again from its shortest command line', () => {
  const seams: Seams = {
    disturb: (state) => {
      if (state.tradeCount > 2) state.hash.high ^= 1
    },
  }
  const { options, result } = failing(seams, 8)
  const again = simulate({ ...options, seams })
  assert.equal(again.failure?.what, result.failure?.what)
  assert.equal(again.traceHash, result.traceHash)
})

/** Makes every engine of a run, including the standby, corrupt each change of a liquidation. */
function forged(wrong: (row: Liquidation, before: Liquidation) => void): Found {
  const { prototype } = LiquidationTable
  const { amend } = prototype
  prototype.amend = function (row, change) {
    amend.call(this, row, (changed) => {
      const before = Object.assign(new Liquidation(row.account), changed)
      change(changed)
      wrong(changed, before)
    })
  }
  try {
    return firstFailing({}, stepsToDebts, 14)
  } finally {
    prototype.amend = amend
  }
}

/** Runs seeds until one fails, as one of the first few must, and shrinks it. */
function failing(seams: Seams, first = 1): Shrunk {
  const { options, result } = firstFailing(seams, stepsShort, first)
  return shrink(options, result)
}

/** @param first of `Planted`. */
function firstFailing(seams: Seams, steps: number, first = 1): Found {
  return firstOf({ seams, steps, first, without: tradingAlone })
}

/** Disk that reports each flush as done, but mostly keeps the data in memory only. */
class LyingDisk extends VirtualDisk {
  #flushes = 0

  protected override flushFile(file: VirtualFile): void {
    if (++this.#flushes % 3 === 0) super.flushFile(file)
  }
}

/** Reads up to the head of the log, durable or not. */
class EagerReader extends EventLogReader {
  readonly #cursorAt: number
  readonly #event = new AnyEvent()
  #words: number

  constructor(memory: SharedArrayBuffer, index: number) {
    super(memory, index)
    this.#cursorAt = (index * cursorBytes) >> 2
    this.#words = super.offset()
  }

  override offset(): number {
    return this.#words
  }

  override next(): number {
    while (this.#words !== this.headOffset()) {
      const at = (this.#words & this.wordMask) << 3
      const { recordType, recordBytes } = this.#event.over(this, at)
      const isPadding = at !== 0 && recordType === paddingType
      const bytes = isPadding ? this.capacityBytes - at : recordBytes
      this.#words = (this.#words + (bytes >> 3)) | 0
      if (!isPadding) return at
    }
    return -1
  }

  override release(): void {
    Atomics.store(this.cursors, this.#cursorAt, this.#words)
  }
}
