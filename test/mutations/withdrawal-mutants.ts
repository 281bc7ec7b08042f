import type { Mutant } from './mutant.js'

/** Faults in withdrawals. */
export const withdrawalMutants: readonly Mutant[] = [
  {
    file: 'engine/core/account/decide-withdrawal.ts',
    fault: 'one micro more than can be spared may leave',
    original: 'if (amountMicros > mostMicros)',
    replacement: 'if (amountMicros > mostMicros + 1)',
  },
  {
    file: 'engine/core/account/decide-withdrawal.ts',
    fault: 'one withdrawal more than may be pending',
    original: 'withdrawals.countOf(account) >= withdrawalsPendingMax',
    replacement: 'withdrawals.countOf(account) > withdrawalsPendingMax',
  },
  {
    file: 'engine/core/account/decide-withdrawal.ts',
    fault: 'a late word of the rail counts again',
    original: 'out.repeat = isFinalDelivery(known) || delivery <= known',
    replacement: 'out.repeat = isFinalDelivery(known)',
  },
  {
    file: 'engine/core/account/decide-withdrawal.ts',
    fault: 'another end than the one that was told passes',
    original: 'return isOtherEnd ? Result.WithdrawalEnded : Result.Accepted',
    replacement: 'return Result.Accepted',
  },
  {
    file: 'engine/core/account/decide-withdrawal.ts',
    fault: 'what has expired comes back by itself',
    original: '[DeliveryStatus.Reverted]: Failed',
    replacement: '[DeliveryStatus.Reverted]: Failed, [DeliveryStatus.Expired]: Failed',
  },
  {
    file: 'engine/core/account/decide-withdrawal.ts',
    fault: 'the operator may judge what is still under way',
    original: 'if (!isFinalDelivery(row.delivery))',
    replacement: 'if (false)',
  },
  {
    file: 'engine/core/account/decide-withdrawal.ts',
    fault: 'who is still to pay funding withdraws first',
    original: 'isHealthy && !fundings.isAwaited(account)',
    replacement: 'isHealthy',
  },
  {
    file: 'engine/risk/wallet-margin.ts',
    fault: 'what perps have gained may leave',
    original: 'worst.backedMicros, spared',
    replacement: 'worst.slackMicros, spared',
  },
  {
    file: 'engine/risk/wallet-margin.ts',
    fault: 'the value of options may leave',
    original: 'Math.max(0, Math.min(worst.backedMicros, spared))',
    replacement: 'Math.max(0, worst.backedMicros)',
  },
  {
    file: 'engine/risk/withdrawable.ts',
    fault: 'an expiry that waits for its price keeps nothing back',
    original: 'if (instruments.state[instrument] !== InstrumentState.Active)',
    replacement: 'if (false)',
  },
  {
    file: 'engine/risk/withdrawable.ts',
    fault: 'a halted underlying keeps nothing back',
    original: 'if (haltModes[underlying] !== HaltMode.Open)',
    replacement: 'if (false)',
  },
  {
    file: 'engine/state/money/withdrawal-table.ts',
    fault: 'a start forgets how far a withdrawal has come',
    original: 'this.moveOn(row, reader.i32()',
    replacement: 'this.moveOn(row, (reader.i32() * 0)',
  },
  {
    file: 'engine/state/money/withdrawal-table.ts',
    fault: 'the end of a withdrawal is forgotten at once',
    original: 'this.#remember(new EndedWithdrawal(row.id, this.#endedCount, domain, row.delivery))',
    replacement: '',
  },
]
