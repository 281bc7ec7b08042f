import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteBuffer } from 'flatbuffers'
import { RowTemplate } from '../../../gateway/quotes/row-template.js'
import { RowSet } from '../../../schemas/generated/indicative/row-set.js'
import { viewsOf } from '../../../schemas/record-views.js'

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const text = fc.stringMatching(/^\d{0,30}(\.\d{1,12})?$/)
const rows = fc.record({
  ...{ row: int32, instrument: int32, frame: int32, updatedMillis: fc.double({ noNaN: true }) },
  ...{ bidPrice: text, askPrice: text, maxBidSize: text, maxAskSize: text },
})

test('any client of the schema can read a row made from the template', () => {
  const template = new RowTemplate()
  fc.assert(
    fc.property(rows, int32, fc.nat(4), (set, scope, eights) => {
      const at = 8 * eights
      const bytes = template.bytesOf(set)
      const views = viewsOf(new ArrayBuffer(at + ((bytes + 15) & ~7)))
      views.u8.fill(0xff) // of another record, before
      template.write(views, at, scope, set)
      assert.equal(views.u8[at + bytes], 0xff, 'nothing behind it')
      const read = RowSet.getRootAsRowSet(new ByteBuffer(views.u8.slice(at, at + bytes)))
      assert.deepEqual(
        [read.row(), read.scope(), read.instrument(), read.frame(), read.updatedMillis()],
        [set.row, scope, set.instrument, set.frame, set.updatedMillis],
      )
      assert.deepEqual(
        [read.bidPrice(), read.askPrice(), read.maxBidSize(), read.maxAskSize()],
        [set.bidPrice, set.askPrice, set.maxBidSize, set.maxAskSize],
      )
    }),
  )
})
