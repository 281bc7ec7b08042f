import { createHash } from 'node:crypto'

/**
 * Private key of a wallet of the development market, from its role and number: the same ones at every start.
 * They are public; nothing of value ever belongs to them.
 */
export function developmentKey(role: string, index: number): string {
  const seed = `strikebook development ${role} ${index}`
  return `0x${createHash('sha256').update(seed).digest('hex')}`
}
