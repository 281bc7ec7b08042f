import { isIP } from 'node:net'

/** Returns whether a host name or address, in lower case and without brackets, is of this machine alone. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}
