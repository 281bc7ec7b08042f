import { createHash } from 'node:crypto'

/** What is touched of a document of CycloneDX 1.5. */
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

/** What the hash of the files stands under that the document was made of. */
const sourceProperty = 'strikebook:sources-sha256'
/** Of packages that no venue has: only those who develop it install them. */
const developmentProperty = 'cdx:npm:package:development'

/**
 * What npm says of all packages, without those for development. npm's own way of leaving them out loses those that both
 * sides need.
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
 * The same text for the same packages, whenever, wherever and by which npm it was made: no time, no tool, the name of
 * the package in place of that of its folder, and a serial number that follows from all the rest.
 * @param made hash of the files that it was made of.
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
