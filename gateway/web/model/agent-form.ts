import { isZeroAddress, parseAddress } from '../../../schemas/wallet.js'

/** Returns why an address cannot be approved as an agent; null if it can. */
export function agentFault(
  address: string,
  wallet: string,
  agents: readonly string[],
): string | null {
  const bytes = parseAddress(address)
  if (bytes === null || isZeroAddress(bytes, 0))
    return 'Enter an address: 0x followed by 40 hexadecimal digits'
  const lower = address.toLowerCase()
  if (lower === wallet.toLowerCase()) return 'The wallet cannot be its own agent'
  return agents.includes(lower) ? 'This address is already an agent' : null
}
