import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestVenueOptions } from '../../gateway/testing.js'
import {
  expiredTo,
  operatorTokens,
  playAccounts,
  playGuarded,
  playWithdrawals,
} from './account-session.js'
import { playMarket, symbols } from './market-session.js'
import { sweepReads } from './read-sweep.js'
import { keyOf, RecordedVenue } from './recorded-venue.js'
import { Recording } from './recording.js'
import { playRfq } from './rfq-session.js'
import { playCompetition, playExpiry, playLiquidation } from './time-session.js'

/** Configuration with high rate limits, and stream intervals shorter than a step. */
function optionsOf(config: TestVenueOptions['config']): TestVenueOptions {
  const limits = Object.fromEntries(
    ['orders', 'cancels', 'apiRequests'].map((name) => [`limits.default.${name}PerMinute`, 10_000]),
  )
  return {
    config: {
      ...limits,
      'limits.tier1.ordersPerMinute': 3,
      'stream.indexIdleIntervalMillis': 31_536_000_000,
      'usernames.moderation': true,
      'faucet.grantsPerMinuteOnLoopback': 1,
      'withdrawals.stepMillis': 50,
      'rfq.lifetimeMillis': 10_000,
      'liquidation.graceSeconds': 10,
      'liquidation.partialSeconds': 20,
      'perp.funding.enabled': true,
      'fees.makerRate': 0.0002,
      'fees.takerRate': 0.0003,
      'fees.builderShare': 0.5,
      ...config,
    },
  }
}

/** Result of a session, even of a failed one. */
export interface Recorded {
  readonly files: Readonly<Record<string, string>>
  readonly fault: unknown
  /** Operations and messages without coverage. */
  readonly gaps: readonly string[]
}

/** Part of a session. */
export type Part = (venue: RecordedVenue, recording: Recording) => Promise<void>

/**
 * Plays a session.
 * @param build folder that contains `gateway/testing.js`.
 * @param part the only part to play; default: all.
 * @throws Error if the venue does not start.
 */
export async function recordSession(build: string, seed: number, part?: Part): Promise<Recorded> {
  const recording = new Recording()
  const played = async () => {
    await playFirst(build, recording, seed, part ?? playAll)
    if (part === undefined) await playSecond(build, recording, seed)
  }
  const fault = await played().catch((error: unknown) => error)
  if (!recording.hasBegun) throw fault
  return { files: recording.files(), gaps: recording.gaps(), fault }
}

async function playFirst(
  build: string,
  recording: Recording,
  seed: number,
  part: Part,
): Promise<void> {
  const config = {
    'operator.signers': keyOf(seed, 'signer').wallet,
    'withdrawals.outcomes': `${expiredTo}=expired`,
  }
  const venue = await RecordedVenue.start(build, recording, seed, optionsOf(config))
  try {
    await part(venue, recording)
  } finally {
    await venue.stop()
  }
}

async function playAll(venue: RecordedVenue, recording: Recording): Promise<void> {
  const { openapi, operator } = recording.documents
  const wallet = ['taker', 'account', 'nobody'].map((name) => venue.key(name).wallet)
  const common = {
    wallet,
    ...{
      '/docs/{id}': ['start.js'],
      '/docs/guides/{id}': ['orders'],
      '/app/{id}': ['pages.js'],
      '/app/{part}': ['operator.js'],
    },
    ...{ '/docs/{part}': ['start.js'], instrument_id: symbols, min_seq: [1] },
  }
  await sweepReads(venue, openapi, common, false)
  const traders = await playMarket(venue)
  const directives = await playAccounts(venue, venue.key('signer'))
  const requests = await playRfq(venue)
  await playCompetition(venue)
  await playLiquidation(venue, traders[0]!)
  await sweepReads(venue, operator, common, true, 'operator')
  const withdrawals = await playWithdrawals(venue)
  const known = {
    ...common,
    ...{ '/v1/directives/{id}': [...withdrawals, ...directives], '/rfq/{id}': requests },
    '/referrals/code/{id}': ['DESK'],
  }
  await sweepReads(venue, openapi, known, true)
  await playExpiry(venue, traders)
  await venue.pass(30 * 86_400_000)
  await sweepReads(venue, openapi, known, false)
}

async function playSecond(build: string, recording: Recording, seed: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-recorded-'))
  const tokensFile = join(folder, 'tokens')
  const tokens = operatorTokens()
  writeFileSync(tokensFile, tokens.text, { mode: 0o600 })
  const guarded = { 'operator.secondApproval': true, 'reads.private': 'signed' }
  const config = { ...guarded, 'operator.tokensFile': tokensFile }
  const venue = await RecordedVenue.start(build, recording, seed, optionsOf(config))
  try {
    await playGuarded(venue, tokens)
  } finally {
    await venue.stop()
    rmSync(folder, { recursive: true })
  }
}
