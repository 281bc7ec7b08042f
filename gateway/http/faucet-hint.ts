import { moneyWrites } from '../../schemas/interface/money.js'
import { Result, resultRows } from '../../schemas/results.js'
import type { Config } from '../config/config-schema.js'
import type { Reason } from '../link/outcome.js'

const { code: noFunds } = resultRows[Result.NoFunds]
const { presets } = moneyWrites['POST /faucet']
const hint = 'POST /faucet {"wallet": "0x..."} credits paper money here.'

/** Mentions the faucet in a rejection for lack of funds, on a venue that has one. */
export function withFaucet(
  { config }: { readonly config: Pick<Config, 'preset'> },
  reason: Reason,
): Reason {
  const isNamed = reason.code === noFunds && presets.some((preset) => preset === config.preset)
  return isNamed ? { ...reason, reason: `${reason.reason} ${hint}` } : reason
}
