import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { recordSession } from '../test/recorded/session.js'

// `node dist/scripts/record-venue.js --out FOLDER` plays a session on a venue in virtual time. It writes answers, frames,
// and the served documents without words. Compare two folders with `diff -r`. `--build DIST` records another build. Runs of
// one build write the same bytes. The exit code is 1 if the session misses an operation or a message.

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    build: { type: 'string', default: join(import.meta.dirname, '..') },
    seed: { type: 'string', default: '1' },
  },
})
const { out } = values
if (out === undefined) {
  process.stderr.write('record-venue: --out FOLDER is required\n')
  process.exitCode = 2
} else {
  const { files, gaps, fault } = await recordSession(resolve(values.build), Number(values.seed))
  mkdirSync(out, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text)
  for (const gap of gaps) process.stderr.write(`never touched: ${gap}\n`)
  if (fault !== undefined) console.error(fault)
  if (gaps.length > 0 || fault !== undefined) process.exitCode = 1
}
