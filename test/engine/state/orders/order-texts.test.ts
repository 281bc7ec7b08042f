import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  builderWords,
  clientIdWords,
  OrderTexts,
} from '../../../../engine/state/orders/order-texts.js'

test('blocks of all lengths stay separate, are reused, and read back NUL padded', () => {
  const seed = 11
  let state = seed
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % count
  }
  const texts = new OrderTexts()
  const live: { block: number; bytes: number; hasBuilder: boolean; fill: number }[] = []
  for (let step = 0; step < 20_000; step++) {
    if (live.length > 300 || (live.length > 0 && below(2) === 0)) {
      const [gone] = live.splice(below(live.length), 1)
      assertText(texts, gone!, `seed ${seed}, step ${step}`)
      texts.free(gone!.block, gone!.bytes, gone!.hasBuilder)
      continue
    }
    const bytes = below(65)
    const hasBuilder = bytes === 0 || below(3) === 0
    const fill = 1 + below(255)
    const block = texts.allocate(bytes, hasBuilder)
    texts.setClientId(block, bytes, clientIdOf(bytes, fill), 0)
    if (hasBuilder) texts.setBuilder(block, bytes, new Int32Array(builderWords).fill(-fill), 0)
    live.push({ block, bytes, hasBuilder, fill })
  }
  assert.ok(texts.words.length <= 16_384, 'free blocks are used again')
})

function assertText(
  texts: OrderTexts,
  {
    block,
    bytes,
    hasBuilder,
    fill,
  }: { block: number; bytes: number; hasBuilder: boolean; fill: number },
  where: string,
): void {
  const read = new Int32Array(clientIdWords).fill(-1)
  texts.copyClientId(block, bytes, read, 0)
  assert.deepEqual(read, clientIdOf(bytes, fill), where)
  if (!hasBuilder) return
  const builder = new Int32Array(builderWords)
  texts.copyBuilder(block, bytes, builder, 0)
  assert.deepEqual(builder, new Int32Array(builderWords).fill(-fill), where)
}

function clientIdOf(bytes: number, fill: number): Int32Array {
  const words = new Int32Array(clientIdWords)
  new Uint8Array(words.buffer).fill(fill, 0, bytes)
  return words
}
