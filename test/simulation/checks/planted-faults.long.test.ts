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

// A simulator that cannot fail proves nothing: each of these plants a fault that it must report.

const stepsShort = 200
/** Wallets have to open positions, and to lose more than they have. */
const stepsToDebts = 400
/** Rounds of funding are few: books of perps are seldom two-sided to the depth that counts. */
const stepsToFunding = 400

test('a disk that lies about its flushes is found: what was flushed is missing', () => {
  const { result, options } = failing({ disk: () => new LyingDisk() })
  // What an earlier life wrote may also come back behind what a later one did, and does not go on from it.
  const what = /batch \d+ was flushed|event \d+ was told|is missing|journal damaged|replay diverged/
  assert.match(result.failure!.what, what)
  assert.ok(options.without!.size < faultKinds.length, 'it takes a crash to show it')
})

test('a reader that ignores the durable offset is found: it was told what a crash took back', () => {
  const { result } = firstFailing(
    { reader: (memory, index) => new EagerReader(memory, index) },
    stepsShort,
  )
  assert.match(
    result.failure!.what,
    /was told|is missing|works twice|told before, differently|JournalLoss/,
  )
})

test('a core whose state hash goes wrong is found, and it takes no fault to show it', () => {
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

test('an order that passes below margin without a look at its fills is found', (t) => {
  t.mock.method(FillStates.prototype, 'enter', () => {})
  const { result } = firstFailing({}, stepsToDebts, 72)
  assert.match(result.failure!.what, /slack \((im|mm|free)\) falls|lots uncovered/)
})

test('money out of nothing is found', () => {
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

test('an expiry that does not come to zero is found', () => {
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

test('funding that does not come to zero is found', () => {
  const disturb: Seams['disturb'] = ({ fundings }) => {
    for (const round of fundings.rounds) round.clearingMicros++
  }
  const { result } = firstFailing({ disturb }, stepsToFunding, 47)
  assert.match(result.failure!.what, /clearing is|add up to|cash is|another state|in phase/)
})

test('a holder that pays its funding twice is found', () => {
  const disturb: Seams['disturb'] = ({ fundings }) => {
    const [round] = fundings.rounds
    if (round !== undefined && round.next > 0) round.next--
  }
  const { result } = firstFailing({ disturb }, stepsToFunding, 47)
  assert.match(result.failure!.what, /pays twice|micros of dust|another state/)
})

test('a snapshot that forgets the builders of orders is found', () => {
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

test('a debt that nobody has recorded is found', () => {
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

test('a fund that pays for nobody is found: no record of a wallet says so', () => {
  const { result } = forged((row, before) => {
    row.insuranceMicros = before.insuranceMicros
  })
  assert.match(result.failure!.what, /the fund paid \d+ for nobody/)
})

test('a loss that is on record and was borne by nobody is found', () => {
  const { result } = forged((row) => {
    if (row.state === LiquidationState.PreLiquidation) row.deleveragedMicros = 1
  })
  assert.match(result.failure!.what, /nobody was deleveraged for it|cost others, the fund holds/)
})

test('a debt that is on record and nobody has is found', () => {
  const { result } = forged((row) => {
    if (row.state === LiquidationState.Liquidated) row.uncoveredMicros = 1
  })
  assert.match(result.failure!.what, /cost others, the fund holds \d+|ends at \d+, 1 open/)
})

test('a debt of a cleared wallet that its record leaves out is found', () => {
  const { result } = forged((row, before) => {
    row.uncoveredMicros = 0
    row.insuranceMicros = before.insuranceMicros
  })
  assert.match(result.failure!.what, /for nobody|on record are 0|ends at|it owes/)
})

test('a nonce that is forgotten works twice, and is found', () => {
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

test('a failing run fails again by its shortest command line', () => {
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

/** Every engine of a run, the standby too, ends each change of a liquidation with something else than it should. */
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

/** Says that a flush is done, and most times keeps everything in its memory. */
class LyingDisk extends VirtualDisk {
  #flushes = 0

  protected override flushFile(file: VirtualFile): void {
    if (++this.#flushes % 3 === 0) super.flushFile(file)
  }
}

/** Reads up to the head of the log: what is there, durable or not. */
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
