import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MakerProcess, providerSettled } from '../../gateway/maker-process.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A maker that does what the text says. */
function startMaker(name: string, text: string) {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, text)
  const lines: string[] = []
  const onLine = (line: string) => lines.push(line)
  return {
    maker: new MakerProcess({ file, url: '', operatorUrl: '', operatorToken: '', onLine }),
    lines,
  }
}

test('a maker is settled when it says so', async () => {
  const text = `console.error('begun'); process.send('${providerSettled}'); setInterval(() => {}, 1000)`
  const { maker, lines } = startMaker('says', text)
  await maker.settled
  maker.stop()
  assert.equal(
    lines.some((line) => line.includes('ended')),
    false,
  )
})

test('nobody waits for a maker that has ended, or was stopped', async () => {
  const { maker, lines } = startMaker('ends', 'process.exit(3)')
  await maker.settled
  maker.stop()
  assert.deepEqual(lines, ['ended with code 3'])
  const stopped = startMaker('stands', 'setInterval(() => {}, 1000)')
  stopped.maker.stop()
  await stopped.maker.settled
})
