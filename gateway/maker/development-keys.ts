import { createHash } from 'node:crypto'

/**
 * Returns the private key of a wallet of the development market. It depends only on role and number, so it is the same
 * at every start. These keys are public and must never hold anything of value.
 */
export function developmentKey(role: string, index: number): string {
  const seed = `strikebook development ${role} ${index}`
  return `0x${createHash('sha256').update(seed).digest('hex')}`
}
