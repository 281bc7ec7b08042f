import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { lockDataDirectory } from '../../engine/journal/data-lock.js'
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  segmentHeaderBytes,
  segmentName,
} from '../../engine/journal/segment-format.js'
import { findPort } from '../../gateway/transport/free-port.js'
import { eventually, Venue } from './support/venue.js'

/** Killed, so that its history store has a log of writes that the next opener would take over. */
const venue = new Venue()
const { dataDir } = venue
const blocker = createServer()

before(async () => {
  await venue.start()
  await venue.set('/instruments', { symbol: 'BTC-PERP' })
  await venue.end('SIGKILL')
  // The next process removes the lock of the dead one.
  await (await lockDataDirectory(dataDir)).release()
  await once(blocker.listen(0, '127.0.0.1'), 'listening')
})
after(async () => {
  blocker.close()
  await venue.dispose()
})

/** Size and time of change of each file of the data folder, except the log of its processes. */
function listing(): readonly string[] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'venue.log' && !name.endsWith('.sock'))
    .map((name) => {
      const { size, mtimeNs, ino } = statSync(join(dataDir, name), { bigint: true })
      return name === 'journal' ? name : `${name} ${size} ${mtimeNs} ${ino}`
    })
    .sort()
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function assertUntouched(flags: readonly string[], reason: RegExp): Promise<void> {
  const files = listing()
  await assert.rejects(new Venue({ dataDir, arguments: flags }).start(), reason)
  assert.deepEqual(listing(), files, String(flags))
}

test('a start with another identity, tokens that are missing, or a wrong setting leaves the data alone', async () => {
  assert.ok(existsSync(join(dataDir, 'history.db-wal')))
  await assertUntouched(['--chain-id=5'], /belongs to .*; this is .* chain 5/)
  await assertUntouched(['--operator-tokens-file=/no/such'], /operator\.tokensFile: no file/)
  await assertUntouched(['--set=withdrawals.outcomes=never'], /withdrawals\.outcomes/)
})

/** Checks a start on the first segment after `spoil`, then restores the segment. */
async function assertSpoiltUntouched(spoil: (bytes: Buffer) => void, reason: RegExp) {
  const path = join(dataDir, 'journal', segmentName(0))
  const sound = readFileSync(path)
  const spoilt = Buffer.from(sound)
  spoil(spoilt)
  writeFileSync(path, spoilt)
  try {
    await assertUntouched([], reason)
  } finally {
    writeFileSync(path, sound)
  }
}

test('a start on a damaged journal, or on one of another engine version, leaves the data alone', async () => {
  const flip = (bytes: Buffer) => {
    bytes[segmentHeaderBytes + 100]! ^= 1
  }
  await assertSpoiltUntouched(flip, /journal damaged: segment-0000000000/)
  const renumber = (bytes: Buffer) => {
    const header = decodeSegmentHeader(bytes.subarray(0, segmentHeaderBytes))!
    bytes.set(encodeSegmentHeader({ ...header, engineVersion: 9999 }))
  }
  await assertSpoiltUntouched(renumber, /written by engine version 9999/)
})

test('a start in a folder that another process has locked leaves the data alone', async () => {
  const lock = await lockDataDirectory(dataDir)
  try {
    await assertUntouched([], new RegExp(`in use by process ${process.pid}`))
  } finally {
    await lock.release()
  }
})

test(
  'a start on a taken port says how to find the other process and choose another port, and leaves the data ' +
    'alone',
  async () => {
    const { port } = blocker.address() as AddressInfo
    const taken = `another process listens on 127\\.0\\.0\\.1:${port} \\(EADDRINUSE\\).*ss -ltnp sport = :${port}`
    await assertUntouched([`--port=${port}`], new RegExp(`${taken}.*with --port or .port. in`))
    await assertUntouched(
      [`--operator-port=${port}`],
      new RegExp(`${taken}.*with --operator-port or .operator\\.port. in`),
    )
  },
)

for (const transport of ['auto', 'node']) {
  test(`transport ${transport}: a start on a port that another start holds leaves its folder empty`, async () => {
    const port = await findPort('127.0.0.1', 0)
    const flags = [`--port=${port}`, `--transport=${transport}`, '--gateways=1']
    const [first, second] = [new Venue({ arguments: flags }), new Venue({ arguments: flags })]
    try {
      const started = first.start()
      await eventually('the first start holds the port', () => isOpen(port))
      await assert.rejects(second.start(), /another process listens on .*with --port or/)
      const written = readdirSync(second.dataDir).filter((name) => name !== 'venue.log')
      assert.deepEqual(written, [])
      await started
    } finally {
      await first.dispose()
      await second.dispose()
    }
  })
}
