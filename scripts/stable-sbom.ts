import { createHash } from 'node:crypto'

/** Part of a CycloneDX 1.5 document that is changed. */
export interface Sbom {
  readonly serialNumber?: string
  readonly metadata: {
    readonly timestamp?: string
    readonly tools?: unknown
    readonly component: { readonly name: string }
  }
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
}

interface Component {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

/** Property with the hash of the source files. */
const sourceProperty = 'strikebook:sources-sha256'
/** Property of development packages, which no venue has. */
const developmentProperty = 'cdx:npm:package:development'

/**
 * Removes development packages. npm's own option to omit them would also remove packages that both sides need.
 */
export function withoutDevelopment(sbom: Sbom): Sbom {
  const isShipped = ({ properties = [] }: Component) =>
    properties.every(({ name }) => name !== developmentProperty)
  const left = new Set(
    sbom.components.filter((row) => !isShipped(row)).map((row) => row['bom-ref']),
  )
  return {
    ...sbom,
    components: sbom.components.filter(isShipped),
    dependencies: sbom.dependencies
      .filter(({ ref }) => !left.has(ref))
      .map((row) => ({ ...row, dependsOn: row.dependsOn.filter((ref) => !left.has(ref)) })),
  }
}

/**
 * Makes the document reproducible for every time, machine and npm version. It removes the time and the tool, names the
 * package instead of its folder, and derives the serial number from the content.
 * @param made hash of the source files.
 */
export function stableSbom(sbom: Sbom, name: string, made: string): Sbom {
  const { serialNumber: _random, metadata, ...rest } = sbom
  const { timestamp: _now, tools: _npm, component, ...others } = metadata
  const properties = [{ name: sourceProperty, value: made }]
  const stable = { ...rest, metadata: { ...others, component: { ...component, name }, properties } }
  const hex = createHash('sha256').update(JSON.stringify(stable)).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]!
  const uuid = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ]
  return { ...stable, serialNumber: `urn:uuid:${uuid.join('-')}` }
}
