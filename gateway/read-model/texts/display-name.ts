const shownDigits = 4

/**
 * What a wallet is shown as.
 * @param wallet `0x` and 40 lower-case digits.
 * @returns the beginning and the end of the address, as `0x12ab...89ef`.
 */
export function displayNameOf(wallet: string): string {
  return `${wallet.slice(0, 2 + shownDigits)}...${wallet.slice(-shownDigits)}`
}
