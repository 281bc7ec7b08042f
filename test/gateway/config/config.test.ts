import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environmentName, flagName, resolveConfig } from '../../../gateway/config/config.js'
import { ConfigError } from '../../../gateway/config/config-error.js'
import { configRows } from '../../../gateway/config/config-schema.js'
import { formOf } from '../../../gateway/config/row-forms.js'

interface Given {
  readonly flags?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  readonly toml?: string
}

function resolve({ flags = {}, environment = {}, toml }: Given = {}) {
  const file = toml === undefined ? {} : { file: { name: 'venue.toml', text: toml } }
  return resolveConfig({ flags: new Map(Object.entries(flags)), environment, ...file })
}

function mistakesOf(given: Given): readonly string[] {
  try {
    resolve(given)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.mistakes.map((mistake) => `${mistake.path} from ${mistake.source}`)
  }
  return []
}

test('by default the development preset applies', () => {
  const { config } = resolve()
  assert.equal(config.preset, 'development')
  assert.equal(config.chainId, 31_337)
  assert.equal(config.service.name, 'Strikebook')
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 8080)
  assert.equal(config.operator.port, 8081)
  assert.equal(config.feed, 'simulated')
  assert.equal(config.maker, 'on')
  assert.equal(config.pricing.indexMaxAgeMillis, 0)
  assert.equal(config.limits.market_maker.positionsMax, -1)
})

test('a public address needs an explicit preset, because the default one gives money to everybody', () => {
  for (const host of ['0.0.0.0', '::', '10.0.0.7', 'venue.example']) {
    assert.deepEqual(mistakesOf({ flags: { host } }), ['preset from default'], host)
    assert.deepEqual(mistakesOf({ flags: { host }, toml: 'preset = "testnet"' }), [])
    assert.deepEqual(mistakesOf({ flags: { host, preset: 'development' } }), [])
  }
  for (const host of ['127.0.0.1', '127.8.9.1', '::1', 'localhost']) {
    assert.deepEqual(mistakesOf({ flags: { host } }), [], host)
  }
})

test('flag beats environment beats file beats preset beats default', () => {
  const toml = 'preset = "testnet"\nchainId = 5\n[service]\nname = "File"\n[pricing]\nrate = 0.03'
  const environment = { STRIKEBOOK_SERVICE_NAME: 'Environment', STRIKEBOOK_PRICING_RATE: '0.04' }
  const flags = { 'service.name': 'Flag' }
  const { config } = resolve({ flags, environment, toml })
  assert.equal(config.service.name, 'Flag')
  assert.equal(config.pricing.rate, 0.04)
  assert.equal(config.chainId, 5)
  assert.equal(config.signing.enabled, false, 'preset beats default')
  assert.equal(config.port, 8080, 'default')
})

test('each preset has its own signing domain and risk model', () => {
  const domains = ['development', 'testnet', 'mainnet-alpha'].map((preset) => {
    const { config } = resolve({ environment: { STRIKEBOOK_PRESET: preset } })
    return `${config.service.name} ${config.chainId} ${config.risk.model} ${config.signing.enabled}`
  })
  assert.deepEqual(domains, [
    'Strikebook 31337 standard true',
    'Strikebook 998 standard false',
    'Strikebook 999 defined_risk true',
  ])
})

test('every mistake is reported at once, with path, source, value and allowed range', () => {
  const given = {
    flags: { port: '99999', nonsense: '1' },
    environment: { STRIKEBOOK_GATEWAYS: 'many', STRIKEBOOK_IDLE: 'sleep' },
    toml: 'colour = "red"\n[limits.tier1]\nordersPerMinute = 0\nbananas = 3\n[pricing]\nrate = "x"',
  }
  assert.deepEqual(mistakesOf(given), [
    'colour from venue.toml',
    'limits.tier1.ordersPerMinute from venue.toml',
    'limits.tier1.bananas from venue.toml',
    'pricing.rate from venue.toml',
    'gateways from STRIKEBOOK_GATEWAYS',
    'idle from STRIKEBOOK_IDLE',
    'port from --port',
    'nonsense from --set',
  ])
  assert.throws(() => resolve({ flags: { port: '99999' } }), {
    message: 'port: 99999 (--port) is not allowed; allowed: integer from 0 to 65535',
  })
})

test('a file that is not TOML is one mistake among the others', () => {
  const mistakes = mistakesOf({ toml: 'port = = 1', flags: { gateways: '0' } })
  assert.match(mistakes[0]!, /^\/.*venue\.toml:1:8 from configuration file$/)
  assert.deepEqual(mistakes.slice(1), ['gateways from --gateways'])
})

test('a table in the place of a value, and a value in the place of a table, are mistakes', () => {
  assert.deepEqual(mistakesOf({ toml: 'pricing = 3\n[port]\nx = 1' }), [
    'pricing from venue.toml',
    'port from venue.toml',
  ])
})

test('a preset cannot have the chain of another, nor mainnet portfolio margin', () => {
  assert.deepEqual(mistakesOf({ flags: { preset: 'testnet', chainId: '999' } }), [
    'chainId from --chain-id',
  ])
  const mainnet = { preset: 'mainnet-alpha', 'risk.portfolioEnabled': 'true' }
  assert.deepEqual(mistakesOf({ flags: mainnet }), ['risk.portfolioEnabled from --set'])
})

test('the public and the operator port differ, unless the system chooses them', () => {
  assert.deepEqual(mistakesOf({ flags: { port: '8081' } }), [
    'operator.port from preset development',
  ])
  assert.deepEqual(mistakesOf({ flags: { port: '0', 'operator.port': '0' } }), [])
})

test('a maker needs signed writes', () => {
  assert.deepEqual(mistakesOf({ flags: { preset: 'testnet', maker: 'on' } }), [
    'maker from --maker',
  ])
})

test('a wrong token is reported without being shown', () => {
  assert.throws(() => resolve({ flags: { 'operator.token': 'two words' } }), {
    message: /^operator.token: \(not shown\)/,
  })
})

test('scenario rows of a file replace the defaults, and a wrong row fails the whole list', () => {
  const row = 'id = "A"\nspot = -0.3\nvol = 0.1\nweight = 0.35'
  const { config } = resolve({ toml: `[[risk.portfolio.scenarios]]\n${row}` })
  assert.deepEqual(config.risk.portfolio.scenarios, [
    {
      id: 'A',
      kind: 0,
      spotShift: -0.3,
      volShift: 0.1,
      skew: 0,
      kurtosis: 0,
      weightPermille: 350,
      isTail: true,
    },
  ])
  for (const wrong of [
    'weight = 0.0005',
    'id = "A"\nspot = -1.5\nvol = 0',
    'id = "A"\nspott = 1',
  ]) {
    assert.deepEqual(mistakesOf({ toml: `[[risk.portfolio.scenarios]]\n${wrong}` }), [
      'risk.portfolio.scenarios from venue.toml',
    ])
  }
})

test('margin is at most the premium of a bought option, and maintenance margin at most initial margin', () => {
  const rowOf = (weight: number): string =>
    `[[risk.standard.scenarios]]\nid = "A"\nspot = -0.3\nvol = 0.1\nweight = ${weight}`
  for (const [toml, imFactor, isRight] of [
    [rowOf(1), '1', true],
    [rowOf(1), '1.01', false],
    [rowOf(0.5), '2', true],
    [rowOf(0.5), '2.01', false],
    [`${rowOf(0.5)}\n${rowOf(0.8).replace('"A"', '"B"')}`, '2', false],
  ] as const) {
    const mistakes = mistakesOf({ toml, flags: { 'risk.standard.imFactor': imFactor } })
    const expected = isRight ? [] : ['risk.standard.imFactor from --set']
    assert.deepEqual(mistakes, expected, `${imFactor} of\n${toml}`)
  }
  assert.deepEqual(mistakesOf({ toml: rowOf(1.001) }), ['risk.standard.scenarios from venue.toml'])
  for (const path of ['risk.standard.mmFactor', 'risk.portfolio.mmRatio']) {
    assert.deepEqual(mistakesOf({ flags: { [path]: '1' } }), [])
    assert.deepEqual(mistakesOf({ flags: { [path]: '1.01' } }), [`${path} from --set`])
  }
})

test('underlyings of a file are added to the default ones', () => {
  const { config } = resolve({ toml: '[underlyings.BTC]\nexpiryTimeUtc = "09:30"' })
  assert.equal(config.underlyings['BTC']?.expiryTimeUtc, '09:30')
  assert.equal(config.underlyings['SP500']?.expiryTimeUtc, '20:00')
  assert.deepEqual(mistakesOf({ toml: '[underlyings.btc]\nexpiryTimeUtc = "09:30"' }), [
    'underlyings from venue.toml',
  ])
  assert.deepEqual(mistakesOf({ toml: '[underlyings.BTC]\nexpiryTimeUtc = "24:00"' }), [
    'underlyings from venue.toml',
  ])
})

test('an unknown STRIKEBOOK_ variable fails like an unknown flag, and others are ignored', () => {
  const environment = { STRIKEBOOK_PROT: '1', STRIKEBOOK_MATCHER: '', HOME: '/root' }
  assert.throws(() => resolve({ environment }), {
    message:
      'STRIKEBOOK_PROT: unknown variable (environment); did you mean STRIKEBOOK_PORT?\n' +
      'STRIKEBOOK_MATCHER: unknown variable (environment); did you mean STRIKEBOOK_MATCHERS?',
  })
  const ofClients = { STRIKEBOOK_URL: 'http://127.0.0.1:8080', STRIKEBOOK_KEY: '01' }
  const known = { STRIKEBOOK_CONFIG: 'x', STRIKEBOOK_PORT: '9090', PORT: '1', ...ofClients }
  assert.equal(resolve({ environment: known }).config.port, 9090)
})

test('an unknown key names the nearest one, and an error of TOML its line and column', () => {
  const toml = 'port = 1\n[limits.defualt]\nordersPerMinute = 5\n'
  assert.throws(() => resolve({ toml }), {
    message: 'limits.defualt: unknown key (venue.toml); did you mean limits.default?',
  })
  assert.throws(() => resolve({ flags: { 'operator.prot': '1' } }), {
    message: 'operator.prot: unknown key (--set); did you mean operator.port?',
  })
  assert.throws(() => resolve({ toml: 'port = 1\nhost = ' }), {
    message: /^\/.*venue\.toml:2:8: .* \(configuration file\)$/,
  })
})

test('variables that Kubernetes sets for a service of this name fail with the remedy', () => {
  for (const [name, value] of [
    ['STRIKEBOOK_SERVICE_HOST', '10.0.0.7'],
    ['STRIKEBOOK_SERVICE_PORT', '8080'],
    ['STRIKEBOOK_SERVICE_PORT_HTTP', '8080'],
    ['STRIKEBOOK_PUBLIC_PORT', 'tcp://10.0.0.7:8080'],
    ['STRIKEBOOK_PORT_8080_TCP', 'tcp://10.0.0.7:8080'],
    ['STRIKEBOOK_PORT_8080_TCP_ADDR', '10.0.0.7'],
  ] as const) {
    const environment = { [name]: value }
    const message = new RegExp(`^${name}: unknown variable .*enableServiceLinks: false`)
    assert.throws(() => resolve({ environment }), { message })
  }
  const environment = { STRIKEBOOK_PORT: 'tcp://10.0.0.7:8080' }
  assert.throws(() => resolve({ environment }), { message: /65535, .*enableServiceLinks: false/ })
  assert.throws(() => resolve({ environment: { STRIKEBOOK_PORT: 'x' } }), { message: /65535$/ })
})

test('an empty environment variable counts as absent', () => {
  assert.equal(resolve({ environment: { STRIKEBOOK_PORT: '' } }).config.port, 8080)
})

test('the configuration is plain data for other threads', () => {
  const { config } = resolve()
  assert.deepEqual(structuredClone(config), config)
})

test('names of variables and flags are unique and follow the path', () => {
  const paths = configRows.map(({ path }) => path)
  assert.equal(new Set(paths.map(environmentName)).size, paths.length)
  assert.equal(new Set(paths.map(flagName)).size, paths.length)
  assert.equal(environmentName('operator.port'), 'STRIKEBOOK_OPERATOR_PORT')
  assert.equal(environmentName('dataDir'), 'STRIKEBOOK_DATA_DIR')
  assert.equal(flagName('chainId'), 'chain-id')
})

test('a parameter whose name ends in a unit is counted in it', () => {
  const units = {
    Millis: 'ms',
    Seconds: 's',
    Hours: 'hours',
    Days: 'days',
    Bytes: 'bytes',
    Bps: 'bps',
  }
  for (const row of configRows) {
    const unit = Object.entries(units).find(([word]) => row.path.endsWith(word))?.[1]
    if (unit !== undefined) assert.equal('bounds' in row && row.bounds[2], unit, row.path)
  }
})

test('every default is within its own limits', () => {
  for (const row of configRows.filter(({ kind }) => kind !== 'shaped')) {
    assert.deepEqual(formOf(row).take(row.fallback), row.fallback, row.path)
  }
})

test('no preset has fees', () => {
  for (const preset of ['development', 'testnet', 'mainnet-alpha']) {
    const { fees } = resolve({ flags: { preset } }).config
    const { optionCap, settlementCap, builders, ...rates } = fees
    assert.deepEqual(builders, [], preset)
    assert.ok(
      Object.values(rates).every((rate) => rate === 0),
      preset,
    )
    assert.deepEqual([optionCap, settlementCap], [0.125, 0.125])
  }
})

test('rates are whole millionths within their limits, and no rebate exceeds the taker fee', () => {
  const given = (makerRate: string, takerRate: string) => ({
    flags: { 'fees.makerRate': makerRate, 'fees.takerRate': takerRate },
  })
  const { fees } = resolve(given('-0.0002', '0.0005')).config
  assert.deepEqual([fees.makerRate, fees.takerRate], [-0.0002, 0.0005])
  assert.deepEqual(mistakesOf(given('-0.0005', '0.0005')), [])
  assert.deepEqual(mistakesOf(given('-0.000501', '0.0005')), ['fees.makerRate from --set'])
  assert.deepEqual(mistakesOf(given('0.0000005', '0')), ['fees.makerRate from --set'])
  assert.deepEqual(mistakesOf(given('0', '0.100001')), ['fees.takerRate from --set'])
  const perp = { 'fees.perpMakerRate': '-0.0002', 'fees.perpTakerRate': '0.0001' }
  assert.deepEqual(mistakesOf({ flags: perp }), ['fees.perpMakerRate from --set'])
  assert.deepEqual(mistakesOf({ flags: { 'fees.builderShare': '1.1', 'fees.optionCap': '-1' } }), [
    'fees.builderShare from --set',
    'fees.optionCap from --set',
  ])
})

test('a source of perp signatures that other exchanges use fails unless it is allowed explicitly', () => {
  for (const source of ['a', 'b']) {
    const flags = { 'perp.source': source }
    assert.deepEqual(mistakesOf({ flags }), ['perp.source from --set'])
    assert.deepEqual(mistakesOf({ flags: { ...flags, 'perp.foreignSource': 'true' } }), [])
  }
  assert.deepEqual(mistakesOf({ flags: { 'perp.source': 'c' } }), [])
  assert.deepEqual(mistakesOf({ flags: { 'perp.source': 'x'.repeat(65) } }), [
    'perp.source from --set',
  ])
})
