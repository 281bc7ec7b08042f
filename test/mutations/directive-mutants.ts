import type { Mutant } from './mutant.js'

export const directiveMutants: readonly Mutant[] = [
  {
    file: 'engine/core/steps/signed.ts',
    fault: 'a key for trading signs anything',
    original: '&& isTradingDirective(command)',
    replacement: '&& true',
  },
  {
    file: 'engine/core/steps/signed.ts',
    fault: 'an agent sets keys for trading, and withdraws',
    original: 'account < 0 || isOwnersOnly(command.recordType)',
    replacement: 'account < 0',
  },
  {
    file: 'engine/core/steps/perp-terms.ts',
    fault: 'what was signed as an action is taken for a directive',
    original: '?.scheme === PerpScheme.Directive',
    replacement: ' !== null',
  },
  {
    file: 'engine/core/account/decide-agents.ts',
    fault: 'who is revoked stays a key for trading',
    original: 'revokeApiWallets(state, account, u8, agentAt)',
    replacement: 'void 0',
  },
  {
    file: 'engine/core/account/decide-agents.ts',
    fault: 'keys outlive the revocation of all agents',
    original: 'revokeAllApiWallets(state, account)',
    replacement: 'void 0',
  },
  {
    file: 'engine/core/account/decide-api-wallets.ts',
    fault: 'a name keeps its key beside the new one',
    original: 'if (before !== null)',
    replacement: 'if (false)',
  },
  {
    file: 'engine/core/account/decide-api-wallets.ts',
    fault: 'there is no end of names',
    original: 'isFree && !apiWallets.hasRoom(account)',
    replacement: 'false',
  },
  {
    file: 'engine/core/steps/tell-directive.ts',
    fault: 'errors are told as directives',
    original: 'refusal !== Result.Accepted && !isRejection(refusal)',
    replacement: 'false',
  },
  {
    file: 'engine/publish/publish-directive.ts',
    fault: 'what was refused is told as done',
    original: 'isAccepted ? DeliveryStatus.Finalized : DeliveryStatus.CoreRejected',
    replacement: 'DeliveryStatus.Finalized',
  },
  {
    file: 'engine/state/accounts/api-wallets.ts',
    fault: 'an abstraction is lost with a snapshot',
    original: 'row.abstraction = reader.i32()',
    replacement: 'reader.i32()',
  },
]
