import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sbom, stableSbom, withoutDevelopment } from '../../scripts/stable-sbom.js'
import { readProjectJson } from '../support/project.js'

/** Returns a list like npm's: of another time, in another folder, by another version. */
function made(seconds: number, version = '1.0.0'): Sbom {
  return {
    serialNumber: `urn:uuid:60eec214-5dd3-41f9-a131-0000000000${seconds}`,
    metadata: {
      timestamp: `2026-01-01T00:00:${seconds}.000Z`,
      tools: [{ vendor: 'npm', name: 'cli', version: `11.${seconds}.0` }],
      component: { name: `folder-${seconds}` },
    },
    components: [{ 'bom-ref': `left@${version}` }],
    dependencies: [],
  }
}

const stable = (seconds: number, version?: string) =>
  JSON.stringify(stableSbom(made(seconds, version), 'strikebook', 'hash'))

test('two builds of the same packages have the same list, and other packages change its number', () => {
  assert.equal(stable(10), stable(59))
  const numberOf = (text: string): string => JSON.parse(text).serialNumber
  assert.match(
    numberOf(stable(10)),
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  assert.notEqual(numberOf(stable(10)), numberOf(stable(10, '1.0.1')))
  assert.doesNotMatch(stable(10), /2026|folder|11\.10/)
})

test('development packages are left out, also as dependencies', () => {
  const properties = [{ name: 'cdx:npm:package:development', value: 'true' }]
  const components = [{ 'bom-ref': 'shipped@1' }, { 'bom-ref': 'tool@1', properties }]
  const dependencies = [
    { ref: 'shipped@1', dependsOn: ['shipped@2', 'tool@1'] },
    { ref: 'tool@1', dependsOn: ['shipped@1'] },
  ]
  const shipped = withoutDevelopment({ ...made(10), components, dependencies })
  assert.deepEqual(shipped.components, [{ 'bom-ref': 'shipped@1' }])
  assert.deepEqual(shipped.dependencies, [{ ref: 'shipped@1', dependsOn: ['shipped@2'] }])
})

test('the list of the build has exactly the packages of the lock file that are not for development', () => {
  const { bomFormat, specVersion, metadata, components } =
    readProjectJson<BuiltSbom>('dist/sbom.json')
  assert.equal(bomFormat, 'CycloneDX')
  assert.match(specVersion, /^1\.[56]$/)
  assert.equal(metadata.component.name, 'strikebook')
  const { packages } = readProjectJson<{
    readonly packages: Readonly<Record<string, LockRow>>
  }>('package-lock.json')
  const locked = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path, { name = path.split('node_modules/').at(-1)!, version }]) => `${name}@${version}`)
  assert.ok(locked.length > 50)
  const listed = components.map((component) => component['bom-ref'])
  assert.deepEqual(listed.sort(), [...new Set(locked)].sort())
})

interface BuiltSbom extends Sbom {
  readonly bomFormat: string
  readonly specVersion: string
}

interface LockRow {
  readonly name?: string
  readonly version: string
  readonly dev?: boolean
  readonly devOptional?: boolean
}
