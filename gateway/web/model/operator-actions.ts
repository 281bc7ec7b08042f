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
const depositId = { name: 'deposit_id', label: 'Deposit ID', isOptional: true } as const
const verdicts = ['approved', 'rejected'] as const
export const haltModes = ['open', 'cancel_only', 'halted'] as const

/** Actions by name. */
export const operatorActions = {
  halt: {
    path: '/operator/halts',
    scope: 'halts',
    word: 'Set trading mode',
    effect: 'The mode applies immediately to all wallets.',
    fields: [underlying, { name: 'mode', label: 'Mode', choices: haltModes }],
  },
  haltAll: {
    path: '/operator/halts',
    scope: 'halts',
    word: 'Set trading mode of the whole market',
    effect: 'The mode applies immediately to all underlyings, including those listed later.',
    fields: [
      { name: 'scope', label: 'Scope', choices: ['all'] },
      { name: 'mode', label: 'Mode', choices: haltModes },
    ],
  },
  resumeWallet: {
    path: '/operator/wallet-halts',
    scope: 'halts',
    word: 'Resume wallet',
    effect: 'The wallet, which a broken invariant stopped, can trade again.',
    fields: [wallet, { name: 'mode', label: 'Mode', choices: ['open'] }],
  },
  clock: {
    path: '/operator/clock',
    scope: 'halts',
    word: 'Resolve clock alarm',
    effect: 'Expiries and deadlines follow the accepted time.',
    fields: [{ name: 'accept', label: 'Time to accept', choices: ['wall', 'engine'] }],
  },
  settle: {
    path: '/operator/settlement-prices',
    scope: 'prices',
    word: 'Set settlement price',
    effect: 'All positions of the expiry settle at this price. This cannot be undone.',
    fields: [
      underlying,
      { name: 'expiry', label: 'Expiry, Unix seconds', isNumber: true },
      { name: 'price', label: 'Price, USD' },
    ],
  },
  maxIndex: {
    path: '/operator/max-index',
    scope: 'instruments',
    word: 'Raise maximum index',
    effect: 'The maximum cannot be lowered again.',
    fields: [underlying, { name: 'max_index', label: 'Maximum index, USD' }],
  },
  deposit: {
    path: '/operator/deposits',
    scope: 'money',
    word: 'Credit wallet',
    effect: 'The wallet can trade with and withdraw the amount.',
    fields: [wallet, amount, depositId],
  },
  insurance: {
    path: '/operator/insurance-fund',
    scope: 'money',
    word: 'Credit insurance fund',
    effect: 'The fund covers liquidation losses with the amount.',
    fields: [amount, depositId],
  },
  withdrawal: {
    path: '/operator/withdrawals',
    scope: 'money',
    word: 'Resolve withdrawal',
    effect: '“returned” credits the wallet again; “delivered” makes the debit final.',
    fields: [
      { name: 'directive_id', label: 'Directive ID' },
      { name: 'verdict', label: 'Result', choices: ['delivered', 'returned'] },
    ],
  },
  approve: {
    path: '/operator/approvals',
    scope: 'money',
    word: 'Approve or reject',
    effect: 'An approved request is executed immediately.',
    fields: [
      { name: 'approval_id', label: 'Approval ID' },
      { name: 'verdict', label: 'Decision', choices: verdicts },
    ],
  },
  username: {
    path: '/operator/usernames',
    scope: 'all',
    word: 'Decide on username',
    effect: 'An approved username is public.',
    fields: [
      wallet,
      { name: 'username', label: 'Username' },
      { name: 'verdict', label: 'Decision', choices: verdicts },
    ],
  },
  provider: {
    path: '/operator/quote-providers',
    scope: 'all',
    word: 'Set quote provider status',
    effect: 'Suspension ends its sessions and quotes immediately.',
    fields: [wallet, { name: 'status', label: 'Status', choices: ['active', 'suspended'] }],
  },
  tier: {
    path: '/operator/tiers',
    scope: 'all',
    word: 'Set tier',
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
