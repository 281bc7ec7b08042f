import type { FunctionComponent } from 'preact'
import { Agents } from './agents.jsx'
import { Latency } from './latency.jsx'
import { LeaderboardPanel } from './leaderboard.jsx'
import { Perps } from './perps.jsx'
import { Protection } from './protection.jsx'
import { Rfq } from './rfq.jsx'
import { Risk } from './risk.jsx'
import { Volatility } from './volatility.jsx'

/** Panels that are loaded on demand, all together: they share more code than each has alone. */
export const laterPanels = {
  Agents,
  Latency,
  LeaderboardPanel,
  Perps,
  Protection,
  Rfq,
  Risk,
  Volatility,
} as const satisfies Readonly<Record<string, FunctionComponent>>
