import { auctionMutants } from './auction-mutants.js'
import { bookMutants } from './book-mutants.js'
import { competitionMutants } from './competition-mutants.js'
import { coreMutants } from './core-mutants.js'
import { declaredMutants } from './declared-mutants.js'
import { directiveMutants } from './directive-mutants.js'
import { journalMutants } from './journal-mutants.js'
import { marginMutants } from './margin-mutants.js'
import type { Mutant } from './mutant.js'
import { profitMutants } from './profit-mutants.js'
import { pushMutants } from './push-mutants.js'
import { referralMutants } from './referral-mutants.js'
import { rfqMutants } from './rfq-mutants.js'
import { safetyMutants } from './safety-mutants.js'
import { settlementMutants } from './settlement-mutants.js'
import { usernameMutants } from './username-mutants.js'
import { withdrawalMutants } from './withdrawal-mutants.js'

/** Every fault that unit tests are measured by, of the engine and of sums of the history: ten a room, thirty for requests for quote, and nearly as many for auctions. */
export const allMutants: readonly Mutant[] = [
  ...bookMutants,
  ...coreMutants,
  ...marginMutants,
  ...journalMutants,
  ...declaredMutants,
  ...settlementMutants,
  ...rfqMutants,
  ...safetyMutants,
  ...auctionMutants,
  ...usernameMutants,
  ...withdrawalMutants,
  ...directiveMutants,
  ...competitionMutants,
  ...profitMutants,
  ...pushMutants,
  ...referralMutants,
]
