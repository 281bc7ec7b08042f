/**
 * Why the venue cannot run on a Node, or null. Imports nothing: it must load where nothing else does.
 * @param version of Node, without a `v`.
 */
export function nodeFault(version: string): string | null {
  const [major, minor] = version.split('.').map(Number) as [number, number]
  if ((major === 20 && minor >= 19) || major === 22 || major >= 24) return null
  return `Strikebook needs Node 20.19 or later of 20, Node 22, or 24 and later; this is ${version}`
}
