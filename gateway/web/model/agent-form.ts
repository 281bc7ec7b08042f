import { isZeroAddress, parseAddress } from '../../../schemas/wallet.js'

/** Returns why an address cannot be approved as an agent; null if it can. */
export function agentFault(
  address: string,
  wallet: string,
  agents: readonly string[],
): string | null {
  const bytes = parseAddress(address)
  if (bytes === null || isZeroAddress(bytes, 0)) return 'An agent is an address: 0x and 40 digits'
  const lower = address.toLowerCase()
  if (lower === wallet.toLowerCase()) return 'The wallet needs no leave of its own'
  return agents.includes(lower) ? 'It is an agent already' : null
}
