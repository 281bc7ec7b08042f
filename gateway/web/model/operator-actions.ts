// Actions of the operator page. Each is one write of the operator interface.

export type OperatorScope = 'read' | 'prices' | 'instruments' | 'money' | 'halts' | 'all'

/** Input field of a body. */
export interface ActionField {
  readonly name: string
  readonly label: string
  /** Permitted values; undefined: any text. */
  readonly choices?: readonly string[]
  readonly isNumber?: true
  /** Left out of the body if empty. */
  readonly isOptional?: true
}

export interface OperatorAction {
  readonly path: string
  readonly scope: OperatorScope
  /** Text of the button. */
  readonly word: string
  /** Irreversible effect, shown for the confirmation. */
  readonly effect: string
  readonly fields: readonly ActionField[]
}

const wallet = { name: 'wallet', label: 'Wallet' }
const underlying = { name: 'underlying', label: 'Underlying' }
const amount = { name: 'amount', label: 'Amount, USD' }
const depositId = { name: 'deposit_id', label: 'Deposit id', isOptional: true } as const
const verdicts = ['approved', 'rejected'] as const
export const haltModes = ['open', 'cancel_only', 'halted'] as const

/** Actions by name. */
export const operatorActions = {
  halt: {
    path: '/operator/halts',
    scope: 'halts',
    word: 'Halt or open',
    effect: 'Orders of everybody are taken or refused by it from then on.',
    fields: [underlying, { name: 'mode', label: 'Mode', choices: haltModes }],
  },
  haltAll: {
    path: '/operator/halts',
    scope: 'halts',
    word: 'Halt or open everything',
    effect: 'All underlyings get this mode, also those that are listed later.',
    fields: [
      { name: 'scope', label: 'Scope', choices: ['all'] },
      { name: 'mode', label: 'Mode', choices: haltModes },
    ],
  },
  resumeWallet: {
    path: '/operator/wallet-halts',
    scope: 'halts',
    word: 'Resume a wallet',
    effect: 'A wallet that was stopped for a broken invariant may trade again.',
    fields: [wallet, { name: 'mode', label: 'Mode', choices: ['open'] }],
  },
  clock: {
    path: '/operator/clock',
    scope: 'halts',
    word: 'Accept a clock',
    effect: 'Expiries and deadlines follow the time that is accepted.',
    fields: [{ name: 'accept', label: 'What holds', choices: ['wall', 'engine'] }],
  },
  settle: {
    path: '/operator/settlement-prices',
    scope: 'prices',
    word: 'Set a settlement price',
    effect: 'Every position of the expiry is paid by this price, once and for all.',
    fields: [
      underlying,
      { name: 'expiry', label: 'Expiry, Unix seconds', isNumber: true },
      { name: 'price', label: 'Price, USD' },
    ],
  },
  maxIndex: {
    path: '/operator/max-index',
    scope: 'instruments',
    word: 'Raise an index bound',
    effect: 'The bound is never lowered again.',
    fields: [underlying, { name: 'max_index', label: 'Highest index, USD' }],
  },
  deposit: {
    path: '/operator/deposits',
    scope: 'money',
    word: 'Credit a wallet',
    effect: 'The wallet can trade with it and withdraw it.',
    fields: [wallet, amount, depositId],
  },
  insurance: {
    path: '/operator/insurance-fund',
    scope: 'money',
    word: 'Credit the insurance fund',
    effect: 'The fund pays losses of liquidations with it.',
    fields: [amount, depositId],
  },
  withdrawal: {
    path: '/operator/withdrawals',
    scope: 'money',
    word: 'Judge a withdrawal',
    effect: 'Returned, the wallet has its money back; delivered, it never will.',
    fields: [
      { name: 'directive_id', label: 'Directive id' },
      { name: 'verdict', label: 'What was found', choices: ['delivered', 'returned'] },
    ],
  },
  approve: {
    path: '/operator/approvals',
    scope: 'money',
    word: 'Approve or reject',
    effect: 'Approved, it is done at once.',
    fields: [
      { name: 'approval_id', label: 'Request' },
      { name: 'verdict', label: 'Verdict', choices: verdicts },
    ],
  },
  username: {
    path: '/operator/usernames',
    scope: 'all',
    word: 'Judge a name',
    effect: 'Approved, everybody sees the wallet under it.',
    fields: [
      wallet,
      { name: 'username', label: 'Name' },
      { name: 'verdict', label: 'Verdict', choices: verdicts },
    ],
  },
  provider: {
    path: '/operator/quote-providers',
    scope: 'all',
    word: 'Let a wallet quote',
    effect: 'Suspended, it loses its sessions and quotes at once.',
    fields: [wallet, { name: 'status', label: 'Status', choices: ['active', 'suspended'] }],
  },
  tier: {
    path: '/operator/tiers',
    scope: 'all',
    word: 'Set a tier',
    effect: 'Limits and permissions of the wallet follow the tier.',
    fields: [wallet, { name: 'tier', label: 'Tier' }],
  },
} as const satisfies Readonly<Record<string, OperatorAction>>

export type ActionName = keyof typeof operatorActions

/** Returns true if the scopes of an identity include a scope. */
export function reaches(scopes: readonly string[], scope: OperatorScope): boolean {
  return scopes.includes(scope) || scopes.includes('all')
}

/** Returns the body of a form, or the field that is missing. */
export function bodyOf(
  { fields }: OperatorAction,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number>> | { readonly missing: string } {
  const body: Record<string, string | number> = {}
  for (const { name, label, isNumber, isOptional } of fields) {
    const text = (values[name] ?? '').trim()
    if (text === '' && isOptional) continue
    if (text === '' || (isNumber && !Number.isFinite(Number(text)))) return { missing: label }
    body[name] = isNumber ? Number(text) : text
  }
  return body
}
