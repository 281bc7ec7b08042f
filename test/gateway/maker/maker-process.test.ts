import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MakerProcess, providerSettled } from '../../../gateway/maker/maker-process.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A maker that does what the text says. */
function startMaker(name: string, text: string, stopping = new AbortController().signal) {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, text)
  const lines: string[] = []
  const onLine = (line: string) => lines.push(line)
  const urls = { url: '', operatorUrl: '', operatorToken: '' }
  return { maker: new MakerProcess({ file, ...urls, stopping, onLine }), lines }
}

test('a maker is settled when it reports so', async () => {
  const text = `console.error('begun'); process.send('${providerSettled}'); setInterval(() => {}, 1000)`
  const { maker, lines } = startMaker('says', text)
  await maker.settled
  maker.stop()
  assert.equal(
    lines.some((line) => line.includes('ended')),
    false,
  )
})

test('the start waits for no maker that has ended or was stopped', async () => {
  const { maker, lines } = startMaker('ends', 'process.exit(3)')
  await maker.settled
  maker.stop()
  assert.deepEqual(lines, ['ended with code 3'])
  const stopped = startMaker('stands', 'setInterval(() => {}, 1000)')
  stopped.maker.stop()
  await stopped.maker.settled
})

test('a process that is ending waits for no maker, and starts none', async () => {
  const stopping = new AbortController()
  const stands = "console.error('begun'); setInterval(() => {}, 1000)"
  const { maker, lines } = startMaker('hangs', stands, stopping.signal)
  stopping.abort()
  await maker.settled
  const late = startMaker('late', stands, stopping.signal)
  await late.maker.settled
  assert.deepEqual([...lines, ...late.lines], [])
})
