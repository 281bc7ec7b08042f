import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { walletOf } from '../../../bench/event-script.js'
import { quoteRig, wireRow } from '../../../bench/quote-rig.js'
import { isLongRun } from '../../support/long-test.js'

const gatewayCount = 3
const instrumentCount = 4
const scopes = ['', 'aa'.repeat(16), 'bb'.repeat(16)]

/** One thing that happens: a snapshot that comes in somewhere, or somebody reads. */
type Step =
  | {
      readonly kind: 'publish'
      readonly gateway: number
      readonly wallet: number
      readonly scope: number
      readonly bids: readonly (number | null)[]
      /** Threads that read between its rows, one after the other. */
      readonly readers: readonly number[]
    }
  | { readonly kind: 'read'; readonly reader: number }

const publish = fc.record({
  kind: fc.constant('publish' as const),
  gateway: fc.nat(gatewayCount - 1),
  wallet: fc.integer({ min: 1, max: 2 }),
  scope: fc.nat(scopes.length - 1),
  bids: fc.array(fc.option(fc.integer({ min: 1, max: 3 })), {
    minLength: instrumentCount,
    maxLength: instrumentCount,
  }),
  readers: fc.array(fc.nat(gatewayCount), { maxLength: 3 }),
})
const read = fc.record({ kind: fc.constant('read' as const), reader: fc.nat(gatewayCount) })
const steps = fc.array(fc.oneof({ weight: 2, arbitrary: publish }, read) as fc.Arbitrary<Step>, {
  maxLength: 25,
})

/** Expected rows: one per wallet and instrument, in the scope that named it last. */
class PlainQuotes {
  readonly #rows = new Map<string, { scope: number; bid: number }>()

  publish({ wallet, scope, bids }: Extract<Step, { kind: 'publish' }>): void {
    for (const [key, row] of this.#rows) {
      const isOwn = key.endsWith(` ${walletOf(wallet)}`) && row.scope === scope
      if (isOwn) this.#rows.delete(key)
    }
    for (const [instrument, bid] of bids.entries()) {
      if (bid !== null) this.#rows.set(`${instrument} ${walletOf(wallet)}`, { scope, bid })
    }
  }

  shown(): string[] {
    return [...this.#rows].map(([key, { bid }]) => `${key} ${bid}/0`).sort()
  }
}

function take(rig: ReturnType<typeof quoteRig>, step: Step): void {
  const read = (reader: number) => (rig.gateways[reader] ?? rig.views).take()
  if (step.kind === 'read') {
    read(step.reader)
    return
  }
  const readers = [...step.readers]
  const between = () => {
    const reader = readers.shift()
    if (reader !== undefined) read(reader)
  }
  const rows = step.bids.flatMap((bid, i) => (bid === null ? [] : [wireRow(i, String(bid))]))
  rig.publish(step.gateway, walletOf(step.wallet), rows, { scope: scopes[step.scope]!, between })
}

test('threads that read everything at once show the intended rows', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const rig = quoteRig(gatewayCount, instrumentCount)
      const plain = new PlainQuotes()
      for (const step of all) {
        take(rig, step)
        if (step.kind === 'publish') plain.publish(step)
        assert.deepEqual(rig.shown(), plain.shown())
      }
    }),
    { numRuns: isLongRun ? 25 : 8 },
  )
})

test('threads that read at any time show the same in the end', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const rig = quoteRig(gatewayCount, instrumentCount)
      for (const step of all) take(rig, step)
      rig.shown() // the same on all boards
    }),
    { numRuns: isLongRun ? 60 : 15 },
  )
})
