import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { assemblyFault, intrinsicsFault, loadFault, nodeFault } from '../../gateway/start-fault.js'
import { projectPath } from '../support/project.js'

test('Node 20 from 20.19 on, 22, and all from 24 on may run it, as package.json says', () => {
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '22.19.1', '24.0.0', '26.1.0']) {
    assert.equal(nodeFault(version), null, version)
  }
  for (const version of ['18.20.4', '20.18.9', '21.7.3', '23.1.0']) {
    assert.match(
      nodeFault(version)!,
      /^Strikebook needs Node 20\.19 or later of 20, [^;]*; this is \d/,
    )
  }
  const { engines } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'))
  assert.equal(engines.node, '^20.19 || ^22 || >=24')
})

test('a loading error is a sentence that names the remedy, and any other is none', () => {
  const words = (code: string, message = '') =>
    loadFault(Object.assign(new Error(message), { code }))
  assert.equal(
    words('MODULE_NOT_FOUND', "Cannot find module '@libsql/linux-x64-gnu'\nRequire stack:"),
    'the package @libsql/linux-x64-gnu is not installed: run npm ci, without --omit=optional',
  )
  assert.equal(
    words('ERR_MODULE_NOT_FOUND', "Cannot find module '/x/dist/gateway/run.js' imported from /x"),
    'the build lacks /x/dist/gateway/run.js: run npm run build',
  )
  assert.match(words('ERR_ACCESS_DENIED')!, /permission model/)
  assert.equal(words('EIO'), null)
  assert.equal(loadFault(null), null)
  assert.match(intrinsicsFault(Object.freeze({}))!, /--frozen-intrinsics/)
  assert.equal(intrinsicsFault(), null)
  assert.match(assemblyFault({})!, /--jitless/)
  assert.equal(assemblyFault(), null)
})

/** Runs the process after `code`, which changes what it finds; it only prints its configuration. */
function runAfter(code: string, flags: readonly string[] = ['--print-config']) {
  const preload = `--import=data:text/javascript,${encodeURIComponent(code)}`
  const main = join(import.meta.dirname, '../../gateway/main.js')
  const options = { encoding: 'utf8' as const, timeout: 60_000 }
  return spawnSync(process.execPath, [preload, main, ...flags], options)
}

test('a flag of Node that prevents a start is named in one line, wherever it is set', () => {
  const main = join(import.meta.dirname, '../../gateway/main.js')
  const command = join(import.meta.dirname, '../../scripts/strikebook.js')
  const folder = ['--data-dir=/dev/null/nowhere', '--port=0', '--operator-port=0']
  for (const [flag, words] of [
    ['--no-addons', [main, ...folder]],
    ['--no-addons', [command, 'export', 'fills', '--data-dir=/dev/null']],
    ['--frozen-intrinsics', [main, ...folder]],
    ['--frozen-intrinsics', [command, 'verify']],
  ] as const) {
    const env = { ...process.env, NODE_OPTIONS: flag, NODE_NO_WARNINGS: '1' }
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env })
    const refused: readonly unknown[] = words[0] === main ? [2, 3] : [1, 2]
    assert.ok(refused.includes(status), `${flag} ${words[1]}: ${status}`)
    assert.equal(stdout, '')
    assert.match(stderr, new RegExp(`^[^\n]*Strikebook cannot run under ${flag}: [^\n]*\n$`))
  }
})

test('a package that is not installed is named in one line', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'strikebook-start-'))
  context.after(() => rmSync(root, { recursive: true }))
  const gateway = join(import.meta.dirname, '../../gateway')
  const isPart = (file: string) => /^(main|run|part-.*|start-fault)\.js$/.test(basename(file))
  cpSync(gateway, join(root, 'gateway'), {
    recursive: true,
    filter: (file) => file === gateway || isPart(file),
  })
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const words = [join(root, 'gateway/main.js'), '--data-dir=/dev/null/nowhere']
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  assert.equal(status, 3)
  assert.match(stderr, /^the package [^ ]+ is not installed: run npm ci[^\n]*\n$/)
})

test('on another Node the process ends with one line, before it has imported anything', () => {
  const node = "Object.defineProperty(process.versions,'node',{value:'21.1.0'})"
  const { status, stdout, stderr } = runAfter(node)
  assert.equal(status, 2)
  assert.equal(stdout, '')
  assert.match(stderr, /^Strikebook needs Node [^\n]*; this is 21\.1\.0\n$/)
  assert.equal(runAfter('0').status, 0, 'this one may')
})

test('the start logs the rate of signature recovery, and warns without the native curve library', () => {
  const code = [
    "import module from 'node:module'",
    'const load=module._load',
    "module._load=function(name,...more){if(name.includes('secp256k1'))throw new Error('none');return load.call(this,name,...more)}",
  ].join(';')
  // An unusable data folder ends the start after its first lines.
  const flags = ['--data-dir=/dev/null/nowhere', '--port=0', '--operator-port=0']
  const { stderr } = runAfter(code, flags)
  const line =
    /"level":40[^\n]*the native library secp256k1 did not load[^\n]* in WebAssembly, at most \d{2,} per second/
  assert.match(stderr, line)
  const { stderr: output } = runAfter('0', flags)
  assert.doesNotMatch(output, /secp256k1 did not load/)
  assert.match(output, /"level":30[^\n]* runs natively, at most \d{3,} per second/)
})
