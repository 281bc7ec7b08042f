import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectPath, readProjectJson } from '../support/project.js'

// `@hypercallxyz/sdk`, which tests use as a third-party client, requires a later Node than it needs. npm reads the
// `engines` of a package from the lock file, so its entry has none.

test('an installation prints no engine warning', (context) => {
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

test('the lock file has the version of package.json', () => {
  const { version } = readProjectJson<{ version: string }>('package.json')
  type Lock = { version: string; packages: Record<string, { version: string }> }
  const lock = readProjectJson<Lock>('package-lock.json')
  assert.deepEqual([lock.version, lock.packages['']!.version], [version, version], 'npm version')
})
