import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { replayBatch } from '../../../engine/core/replica.js'
import { NodeFiles } from '../../../engine/journal/node-files.js'
import { Found, listSegments, SegmentReader } from '../../../engine/journal/segment-reader.js'
import { hashText } from '../../../engine/memory/state-hash.js'
import {
  HashOfVersion1,
  hashOfVersion1,
  KindOfVersion1,
} from '../../../engine/state/hash-version-1.js'
import { finalFactsKept, finalOrdersKept } from '../../../schemas/bounds.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { CoreRig } from '../../support/core-rig.js'
import { endedId, endedOwner, endOrder } from '../../support/ended-orders.js'
import { unpackFolder } from '../../support/folder-fixture.js'
import { projectPath } from '../../support/project.js'

// States that engines of version 3 have saved, each in a file that bears the hash which they had kept for it.
const states = projectPath('test/vectors/states-1')

const Kind = KindOfVersion1
type Kind = (typeof Kind)[keyof typeof Kind]
type IsElement = (kind: number, a: number, b: number) => boolean
/** Elements that stand beside the usual ones of their kinds. */
const rareElements: Readonly<Record<string, IsElement>> = {
  'wallets that wait for their check': (kind, a) => kind === Kind.Counter && a < -1,
  'nonces that were dropped': (kind, _, b) => kind === Kind.Nonce && b === -1,
  'nonces of agents': (kind, a) => kind === Kind.Nonce && a < 0,
  'a re-mark under way': (kind, _, b) => kind === Kind.Marked && b === 2,
  'a halt of what is listed later': (kind, a) => kind === Kind.Halt && a === -1,
  'clearing beyond its low half': (kind, a) => kind === Kind.Clearing && a === 5,
  'an expiry beyond its low parts': (kind, a) => kind === Kind.Settlement && a % 16 >= 8,
  'fills in a window': (kind, _, b) => kind === Kind.MmpWindow && b === 9,
  'losses that the insurance paid': (kind, _, b) => kind === Kind.Liquidation && b === 14,
  'losses deleveraged': (kind, _, b) => kind === Kind.Liquidation && b === 15,
  'losses shared': (kind, _, b) => kind === Kind.Liquidation && b === 22,
}
const names = [...Object.keys(Kind), ...Object.keys(rareElements)]
const nameOf = new Map<number, string>(Object.entries(Kind).map(([name, kind]) => [kind, name]))

/** Notes what is added to it. */
class NotedHash extends HashOfVersion1 {
  readonly finals: string[] = []
  readonly #met: Set<string>

  constructor(met = new Set<string>()) {
    super()
    this.#met = met
  }

  override add(kind: Kind, a: number, b: number, value: number): void {
    super.add(kind, a, b, value)
    this.#met.add(nameOf.get(kind)!)
    for (const name in rareElements) if (rareElements[name]!(kind, a, b)) this.#met.add(name)
    if (kind === Kind.FinalOrder) this.finals.push(`${a} ${b} ${value}`)
  }
}

test('states that were saved have the hash that was kept of them, whatever it is made of', () => {
  const met = new Set<string>()
  for (const name of readdirSync(states)) {
    const rig = new CoreRig()
    rig.restore(gunzipSync(readFileSync(join(states, name))), 4)
    const { low, high } = hashOfVersion1(rig.state, new NotedHash(met))
    assert.equal(hashText(low, high), name.replace('.state.gz', ''))
  }
  assert.deepEqual(
    names.filter((name) => !met.has(name)),
    [],
    'never met',
  )
})

test('each batch of a journal of engine version 3 has the hash of the state before it', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-hash-'))
  context.after(() => rmSync(folder, { recursive: true }))
  unpackFolder(projectPath('test/vectors/folders/engine-3'), 'killed', folder)
  const files = new NodeFiles(folder)
  const rig = new CoreRig()
  let batches = 0
  for (const number of listSegments(files)) {
    const reader = new SegmentReader(files, number)
    for (let found = reader.next(); found === Found.Batch; found = reader.next()) {
      const { batch } = reader
      const { low, high } = hashOfVersion1(rig.state)
      const kept = hashText(batch.hashLow, batch.hashHigh)
      assert.equal(hashText(low, high), kept, `before batch ${batch.batchNumber}`)
      replayBatch(rig.core, batch)
      batches++
    }
  }
  assert.ok(batches > 500, String(batches))
})

test('orders that ended are elements by what is still known of them', () => {
  const rig = new CoreRig().openMarket()
  // The second has rested while others came and went, and has the place of the first.
  for (const counter of [finalOrdersKept + 5, 5]) endOrder(rig, counter)
  for (let counter = 6; counter < finalFactsKept + 15; counter++) endOrder(rig, counter)
  const { orderIndex } = rig.state
  assert.equal(orderIndex.forgottenStatus(endedId(5), endedOwner), OrderStatus.None)
  assert.equal(orderIndex.forgottenStatus(endedId(10), endedOwner), OrderStatus.Filled)
  const restored = new CoreRig()
  restored.restore(rig.save())
  for (const { state } of [rig, restored]) {
    const hash = new NotedHash()
    hashOfVersion1(state, hash)
    assert.equal(hash.finals.length, finalFactsKept + 10)
    assert.ok(hash.finals.includes(`10 ${endedOwner} ${OrderStatus.Filled}`))
    assert.equal(new Set(hash.finals).size, finalFactsKept + 10)
  }
})
