/** What runs the process. */
export interface Runtime {
  readonly platform: string
  readonly arch: string
  /** Of Node, without a `v`. */
  readonly version: string
  /** Number of the interface that addons are compiled for. */
  readonly abi: string
}

/**
 * Why the venue cannot run here, or null. Imports nothing: it must load where nothing else does.
 * @param hasBinary whether the native transport brings a file of this name.
 */
export function nodeFault(runtime: Runtime, hasBinary: (file: string) => boolean): string | null {
  const { platform, arch, version, abi } = runtime
  const [major, minor] = version.split('.').map(Number) as [number, number]
  const isKnown = (major === 20 && minor >= 19) || major === 22
  if (!isKnown) return `Strikebook needs Node 20.19 or later of 20, or Node 22; this is ${version}`
  const file = `uws_${platform}_${arch}_${abi}.node`
  if (hasBinary(file)) return null
  const where = `${platform} ${arch}, Node ${version}`
  return `Strikebook's network transport has no binary for ${where}: ${file} is missing`
}
