import { isIP } from 'node:net'

/** True for a host name or address of loopback, in lower case and without brackets. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}
