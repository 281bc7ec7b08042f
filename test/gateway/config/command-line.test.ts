import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'smol-toml'
import { CommandLineEnd, readCommandLine } from '../../../gateway/config/command-line.js'
import { configRows } from '../../../gateway/config/config-schema.js'
import { configAsJson, configAsToml } from '../../../gateway/config/config-text.js'

test('flags, --set and an environment variable reach the configuration', () => {
  const argv = ['start', '--port=0', '--idle', 'yield', '--set', 'limits.tier1.openOrdersMax=7']
  const { config, print } = readCommandLine(argv, { STRIKEBOOK_DURABILITY: 'memory' })
  assert.equal(config.port, 0)
  assert.equal(config.idle, 'yield')
  assert.equal(config.durability, 'memory')
  assert.equal(config.limits.tier1.openOrdersMax, 7)
  assert.equal(print, null)
})

test('every flag of the specified table exists', () => {
  const flags = {
    preset: 'testnet',
    host: '127.0.0.1',
    port: '1',
    'operator-port': '2',
    'operator-token': 'secret',
    'data-dir': '/tmp/x',
    feed: 'none',
    maker: 'off',
    gateways: '2',
    matchers: '1',
    durability: 'memory',
    idle: 'spin',
    'chain-id': '5',
    'service-name': 'Other',
  }
  const argv = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const { config } = readCommandLine(argv, {})
  assert.equal(config.operator.token, 'secret')
  assert.equal(config.service.name, 'Other')
  assert.equal(config.dataDir, '/tmp/x')
})

test('--help ends with exit code 0 and shows examples', () => {
  assert.throws(
    () => readCommandLine(['--help'], {}),
    (error: unknown) =>
      error instanceof CommandLineEnd &&
      error.exitCode === 0 &&
      error.message.includes('Examples:') &&
      error.message.includes('--print-config'),
  )
})

test('usage errors end with exit code 2', () => {
  for (const argv of [['--prot=1'], ['stop'], ['--port'], ['--set', 'port']]) {
    assert.throws(
      () => readCommandLine(argv, {}),
      (error: unknown) => error instanceof CommandLineEnd && error.exitCode === 2,
      argv.join(' '),
    )
  }
})

test('an unreadable file is an error of the configuration', () => {
  assert.throws(
    () => readCommandLine(['--config=/nowhere/x.toml'], {}),
    /\/nowhere\/x\.toml: cannot be read: ENOENT \(--config\)/,
  )
})

test('the printed configuration is a file with the same configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-config-'))
  try {
    const { config } = readCommandLine(['--preset=mainnet-alpha', '--port=7'], {})
    const name = join(folder, 'venue.toml')
    writeFileSync(name, configAsToml(config))
    assert.deepEqual(readCommandLine([`--config=${name}`], {}).config, config)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the printed configuration has a line about each parameter above its value', () => {
  const lines = configAsToml(readCommandLine([], {}).config).split('\n')
  const at = lines.indexOf('remarkMillis = 1000')
  assert.equal(lines[at - 1], '# maximum time between re-marks (ms, integer from 10 to 1000)')
  for (const { path, about } of configRows) {
    const name = path.split('.').at(-1)!
    const begins = [`${name} = `, `[[${path}]]`, `[${path}]`, `[${path}.`]
    const isAbove = lines.some(
      (line, index) =>
        line.startsWith(`# ${about} (`) &&
        begins.some((begin) => lines[index + 1]!.startsWith(begin)),
    )
    assert.ok(isAbove, path)
  }
})

test('the printed configuration hides the token', () => {
  const { config } = readCommandLine(['--operator-token=secret'], {})
  for (const text of [configAsToml(config), configAsJson(config)]) {
    assert.ok(!text.includes('secret'))
  }
  const { operator } = parse(configAsToml(config)) as Record<string, unknown>
  assert.deepEqual({ ...(operator as object) }, JSON.parse(configAsJson(config)).operator)
})
