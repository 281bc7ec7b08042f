import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { projectPath } from '../../support/project.js'

test('the native library is the one that was examined', { skip: skipReason() }, () => {
  const path = projectPath('node_modules/uWebSockets.js/dist/bin/uws_linux_x64_115.node')
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
  assert.equal(hash, '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e')
})

function skipReason(): string | false {
  const isIt = process.platform === 'linux' && process.arch === 'x64'
  return isIt ? false : 'another platform has another file'
}
