// Reasons why a venue cannot start with a Node or an installation. Imports nothing: it must load where nothing else does.

/** Returns the sentence for a Node that cannot run the venue, or null. @param version of Node, without a `v`. */
export function nodeFault(version: string): string | null {
  const [major, minor] = version.split('.').map(Number) as [number, number]
  if ((major === 20 && minor >= 19) || major === 22 || major >= 24) return null
  return `Strikebook needs Node 20.19 or later of 20, Node 22, or 24 and later; this is ${version}`
}

/** Returns the sentence for `--frozen-intrinsics`, or null. Several packages replace functions of Node. */
export function intrinsicsFault(prototype: object = Array.prototype): string | null {
  return Object.isFrozen(prototype) ? flagText('--frozen-intrinsics') : null
}

/** Returns the sentence for a Node without WebAssembly, or null. The gateway needs it for hashes. */
export function assemblyFault(scope: object = globalThis): string | null {
  return 'WebAssembly' in scope ? null : flagText('--jitless')
}

/** Returns the sentence for an error that a module of the venue threw while it was loaded; null for an unknown one. */
export function loadFault(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  switch (error.code) {
    case 'ERR_DLOPEN_DISABLED':
      return flagText('--no-addons')
    case 'ERR_ACCESS_DENIED':
      return flagText('the permission model (--permission, --experimental-permission)')
    case 'ERR_MODULE_NOT_FOUND':
    case 'MODULE_NOT_FOUND':
      return moduleFault(error.message)
    default:
      return null
  }
}

function flagText(flag: string): string {
  return `Strikebook cannot run under ${flag}: start Node without it, and check NODE_OPTIONS`
}

/** Tells a package, which npm installs, from a file of the build. */
function moduleFault(message: string): string {
  const [, name = 'unknown'] = /'([^']+)'/.exec(message) ?? []
  return /^[./]|^[A-Za-z]:\\/.test(name)
    ? `the build lacks ${name}: run npm run build`
    : `the package ${name} is not installed: run npm ci, without --omit=optional`
}
