import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { RailRecord } from '../../../gateway/rail/rail-record.js'
import type { RecordedDelivery } from '../../../gateway/rail/settlement-rail.js'
import { DeliveryStatus } from '../../../schemas/domain.js'

const delivery = (directiveId: string): RecordedDelivery => ({
  directiveId,
  wallet: '0x01',
  destination: '0x02',
  amountMicros: 5_000_000,
  seq: 7,
  delivery: DeliveryStatus.Pending,
  txHash: null,
})

test('the half line of a full disk is removed before the next one is written', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rail-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'rail.jsonl')
  const record = await RailRecord.open(path)
  await record.write(delivery('a'))
  const probe = await open(path)
  const handle = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const { appendFile } = handle
  const mock = context.mock.method(handle, 'appendFile', async function (this: FileHandle, line) {
    await appendFile.call(this, String(line).slice(0, 20))
    throw new Error('ENOSPC')
  } as typeof appendFile)
  await assert.rejects(record.write(delivery('b')), /ENOSPC/)
  assert.equal(record.find('b'), null)
  mock.mock.restore()
  await record.write(delivery('c'))
  await record.close()
  assert.equal(readFileSync(path, 'utf8').split('\n').length, 3)
  const again = await RailRecord.open(path)
  assert.deepEqual(again.find('c'), delivery('c'))
  assert.equal(again.find('b'), null)
  await again.close()
})
