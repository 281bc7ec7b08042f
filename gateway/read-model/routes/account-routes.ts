import { formatMicros } from '../../../schemas/decimal.js'
import { marginModeNames, selfTradeModeNames, Tier } from '../../../schemas/domain.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import type { Portfolio } from '../../../schemas/interface/risk.js'
import { Result } from '../../../schemas/results.js'
import { bareAnswer, dataAnswer, refusedAnswer } from '../../wire/answers.js'
import { mmpConfigJson } from '../../wire/mmp-text.js'
import { route } from '../../wire/route.js'
import { tierView } from '../../wire/tier-text.js'
import {
  marginOf,
  marginSummary,
  positionRows,
  positionText,
  spanMargin,
  withdrawableOf,
} from '../texts/portfolio-text.js'
import { type ReadRoute, type RouteContext, walletRoute } from '../texts/route-context.js'
import { frozenUntilAt, windowMicrosAt } from '../views/mmp-views.js'

/** Answers GET /portfolio with the core's own margin code. */
export const portfolioRoute = walletRoute(viewReads['GET /portfolio'], portfolioOf)

function portfolioOf(wallet: string, { views }: RouteContext): Portfolio {
  const account = views.accounts.find(wallet)
  const summary = marginOf(views, account)
  const rows = positionRows(views, account)
  return {
    wallet_address: wallet,
    positions: rows.map((row) => positionText(views, wallet, row, summary)),
    equity: formatMicros(summary.equity),
    total_margin_used: formatMicros(summary.totalMarginUsed),
    available_balance: formatMicros(summary.available),
    withdrawable_usdc: formatMicros(withdrawableOf(views, account, summary)),
    scanning_risk: formatMicros(summary.scanningRisk),
    option_floor: formatMicros(summary.optionFloor),
    gamma_overlay: formatMicros(summary.gammaOverlay),
    margin_mode: marginModeNames[summary.mode],
    portfolio_snapshot_timestamp_ms: views.timeMillis === 0 ? null : views.timeMillis,
    span_margin: spanMargin(summary),
    margin_summary: marginSummary(summary),
  }
}

/**
 * Answers GET /mmp-config: a wallet's protections, in one underlying or all. Sums and freeze are as of the latest
 * engine time.
 */
export const mmpConfigRoute: ReadRoute = route(
  viewReads['GET /mmp-config'],
  ({ wallet, currency: wanted }, context) => {
    const { accounts, market, mmp, seq, timeMillis } = context.views
    const configs = []
    for (const [underlying, view] of mmp.of(accounts.find(wallet))) {
      const currency = market.instruments.underlyingNames[underlying]!
      if (wanted !== null && wanted !== currency) continue
      const frozenUntilMillis = frozenUntilAt(view, timeMillis)
      const windowMicros = windowMicrosAt(view, timeMillis)
      configs.push(mmpConfigJson({ ...view, wallet, currency, frozenUntilMillis, windowMicros }))
    }
    return dataAnswer(configs, seq)
  },
)

/**
 * Answers GET /authorized-agents: agents in order of approval, and the keys that may sign trading directives, with
 * their names.
 */
export const authorizedAgentsRoute: ReadRoute = route(
  viewReads['GET /authorized-agents'],
  ({ wallet }, context) => {
    const { accounts, seq } = context.views
    const keys = [...accounts.apiWalletsOf(wallet)]
    const api_wallets = keys.map(([name, address]) => ({ name, address }))
    return bareAnswer({ agents: [...accounts.agentsOf(wallet)], api_wallets }, seq)
  },
)

/** Answers GET /user-tier. An unknown wallet has the default tier. */
export const userTierRoute = walletRoute(
  viewReads['GET /user-tier'],
  (wallet, { views, config }) => {
    const { accounts } = views
    const account = accounts.find(wallet)
    const tier = account < 0 ? Tier.Default : accounts.risk.tier[account]
    return tierView(wallet, tier as Tier, config.engine.tiers)
  },
)

/** Answers GET /self-trade-prevention. An unknown wallet has the default mode. */
export const selfTradePreventionRoute = walletRoute(
  viewReads['GET /self-trade-prevention'],
  (wallet, { views: { accounts } }) => {
    const mode = selfTradeModeNames[accounts.selfTradeModeOf(accounts.find(wallet))]
    return { wallet, mode }
  },
)

/** Answers GET /username: the wallet's username, never a derived name. */
export const usernameRoute: ReadRoute = route(
  viewReads['GET /username'],
  ({ wallet }, { views }) => {
    const username = views.usernames.of(wallet)
    return username === null
      ? refusedAnswer(Envelope.Bare, { result: Result.NotFound, message: 'no username' })
      : bareAnswer({ wallet_address: wallet, username }, views.seq)
  },
)
