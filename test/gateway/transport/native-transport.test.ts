import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { projectPath } from '../../support/project.js'

test('the native library is the examined one', { skip: skipReason() }, () => {
  const path = projectPath('node_modules/uWebSockets.js/uws_linux_x64_115.node')
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
  assert.equal(hash, '5b126ee00bf754b02e97e4c27090365a8562c5820c93f93918ac2212d4503e91')
})

function skipReason(): string | false {
  const isIt = process.platform === 'linux' && process.arch === 'x64'
  return isIt ? false : 'another platform has another file'
}
