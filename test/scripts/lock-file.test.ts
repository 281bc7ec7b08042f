import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectPath } from '../support/project.js'

// `@hypercallxyz/sdk`, with which tests trade as a stranger would, names a later Node than it needs. npm takes the
// `engines` of a package from the lock file, so that entry has none.

test('an installation warns of no engine', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-lock-'))
  context.after(() => rmSync(folder, { recursive: true }))
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(projectPath(file), join(folder, file))
  }
  const words = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit']
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.doesNotMatch(stderr, /EBADENGINE/)
})
