import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { readBuildInfo } from '../../gateway/build-info.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-build-info-'))
const commit = '0123456789abcdef0123456789abcdef01234567'
const other = 'fedcba9876543210fedcba9876543210fedcba98'

after(() => rmSync(folder, { recursive: true }))

/** Returns the build information of a checkout with these files, by their paths from its root. */
function infoOf(name: string, files: Readonly<Record<string, string>>) {
  const root = join(folder, name)
  const whole = { 'package.json': '{"version":"1.2.3"}', 'dist/main.js': '', ...files }
  for (const [path, text] of Object.entries(whole)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { version, ref, commit } = readBuildInfo(join(root, 'dist/main.js'))
  return { version, ref, commit }
}

test('a checkout is at the commit of its branch', () => {
  const files = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${commit}\n` }
  assert.deepEqual(infoOf('branch', files), { version: '1.2.3', ref: 'refs/heads/main', commit })
})

test('a branch may be packed with others, and its own file takes precedence', () => {
  const packed = `# pack-refs with: peeled \n${other} refs/heads/not/main\n${commit} refs/heads/main\n`
  const files = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': packed }
  assert.equal(infoOf('packed', files).commit, commit)
  assert.equal(infoOf('moved', { ...files, '.git/refs/heads/main': other }).commit, other)
})

test('a linked working tree has its own head, and the branches of the repository', () => {
  const repository = {
    'one/.git/refs/heads/side': `${commit}\n`,
    'one/.git/worktrees/two/HEAD': 'ref: refs/heads/side\n',
    'one/.git/worktrees/two/commondir': '../..\n',
  }
  for (const gitdir of [`${folder}/trees/one/.git/worktrees/two`, 'one/.git/worktrees/two']) {
    const { ref, commit: found } = infoOf('trees', { ...repository, '.git': `gitdir: ${gitdir}\n` })
    assert.deepEqual([ref, found], ['refs/heads/side', commit])
  }
})

test('a detached head is a commit, and a package without a repository has none', () => {
  assert.equal(infoOf('detached', { '.git/HEAD': `${commit}\n` }).commit, commit)
  assert.deepEqual(infoOf('package', {}), { version: '1.2.3', ref: 'unknown', commit: 'unknown' })
})
