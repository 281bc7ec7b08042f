import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { projectPath } from '../support/project.js'

const compiler = `@typescript/typescript-${process.platform}-${process.arch}`
const nobody = 65_534

/** A checkout with a build that prints `started`, and with folders instead of packages. */
function checkout(context: TestContext, packages: readonly string[], isBuilt = false): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'strikebook-checkout-')))
  context.after(() => {
    chmodSync(join(root, 'dist'), 0o755)
    rmSync(root, { recursive: true })
  })
  chmodSync(root, 0o755)
  for (const file of ['package.json', 'tsconfig.json']) cpSync(projectPath(file), join(root, file))
  for (const file of ['build-once.js', 'launch-start.js']) {
    cpSync(projectPath(`scripts/${file}`), join(root, 'scripts', file))
  }
  for (const name of packages) mkdirSync(join(root, 'node_modules', name), { recursive: true })
  mkdirSync(join(root, 'gateway'))
  mkdirSync(join(root, 'dist/gateway'), { recursive: true })
  writeFileSync(join(root, 'dist/gateway/main.js'), "console.log('started')")
  if (isBuilt) writeFileSync(join(root, 'dist/.built'), '')
  return root
}

/** Runs `npm start` without its header, as a user who owns nothing of it where we may choose one. */
function start(root: string, isOwner = true) {
  const user = isOwner || process.getuid?.() !== 0 ? {} : { uid: nobody, gid: nobody }
  const env = { ...process.env, HOME: tmpdir(), npm_config_cache: join(tmpdir(), 'npm-none') }
  const words = ['start', '--silent']
  return spawnSync('npm', words, { cwd: root, env, encoding: 'utf8', ...user })
}

test('an installation that cannot build says in one line what is missing and how to get it', (context) => {
  for (const [packages, sentence] of [
    [[], /^strikebook: no packages are installed: run npm ci\n$/],
    [
      ['pino'],
      /^strikebook: the build needs the development packages, .*NODE_ENV=production.*: run npm ci --include=dev\n$/,
    ],
    [
      ['typescript'],
      /^strikebook: the build needs @typescript\/.*: run npm ci --include=optional\n$/,
    ],
  ] as const) {
    const { status, stdout, stderr } = start(checkout(context, packages))
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(stderr, sentence)
  }
})

test('a built checkout starts without the packages that only a build needs', (context) => {
  const root = checkout(context, [], true)
  const { status, stdout, stderr } = start(root)
  assert.deepEqual([status, stdout, stderr], [0, 'started\n', ''])
})

test('a build shows each of its steps, and names the step that fails', (context) => {
  const root = checkout(context, [compiler, 'typescript'])
  const file = join(root, 'package.json')
  const project = JSON.parse(readFileSync(file, 'utf8'))
  project.scripts.build = 'node -e 0 && node scripts/mark-built.js'
  writeFileSync(file, JSON.stringify(project))
  cpSync(projectPath('scripts/mark-built.js'), join(root, 'scripts/mark-built.js'))
  const { status, stdout, stderr } = start(root)
  assert.deepEqual([status, stdout], [0, 'started\n'], stderr)
  assert.deepEqual(stderr.replace(/\d+ s/, 'N s').split('\n'), [
    'strikebook: building first, which takes about half a minute',
    'strikebook: step 1 of 2: node -e 0',
    'strikebook: step 2 of 2: node scripts/mark-built.js',
    'strikebook: built in N s',
    '',
  ])
  project.scripts.build = 'node -e 0 && node -e process.exit(7)'
  writeFileSync(file, JSON.stringify(project))
  rmSync(join(root, 'dist/.built'))
  const failed = start(root)
  assert.equal(failed.status, 1)
  assert.match(failed.stderr, /strikebook: the build failed in step 2 of 2: node -e/)
})

test('a user without write access to the checkout starts a current build, and gets a message for an old one', (context) => {
  const root = checkout(context, [compiler, 'typescript'], true)
  chmodSync(join(root, 'dist'), 0o555)
  assert.equal(start(root, false).stdout, 'started\n')
  const source = join(root, 'gateway/new.ts')
  writeFileSync(source, '')
  const later = Date.now() / 1000 + 60
  utimesSync(source, later, later)
  chmodSync(join(root, 'dist/.built'), 0o444)
  const { status, stdout, stderr } = start(root, false)
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(
    stderr,
    /^strikebook: the build cannot write .* \(EACCES\): run npm run build as the owner of .* first\n$/,
  )
})
