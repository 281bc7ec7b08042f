import { moneyText, shortAddress } from '../model/numbers.js'
import { portfolio } from '../state/account.js'
import { browserWallet } from '../state/browser-wallet.js'
import { attempt } from '../state/notices.js'
import {
  askFunds,
  connectDemo,
  connectWallet,
  isConnecting,
  leave,
  session,
} from '../state/session.js'
import { venueInfo } from '../state/venue.js'

/** Who trades here, or how one begins to. */
export function AccountMenu() {
  const current = session.value
  const hasFaucet = venueInfo.value?.preset === 'development'
  if (current === null) return <Begin hasFaucet={hasFaucet} />
  return (
    <div class="account">
      <span title={current.client.wallet}>
        {shortAddress(current.client.wallet)} <small class="dim">{kindWords[current.kind]}</small>
      </span>
      <b>{moneyText(portfolio.value?.equity)}</b>
      {hasFaucet ? (
        <button type="button" onClick={() => attempt(askFunds)}>
          Faucet
        </button>
      ) : null}
      <button type="button" class="quiet" onClick={leave}>
        Leave
      </button>
    </div>
  )
}

const kindWords = { demo: 'demo key', wallet: 'wallet' } as const

function Begin({ hasFaucet }: { readonly hasFaucet: boolean }) {
  return (
    <div class="account">
      {hasFaucet ? (
        <button
          type="button"
          class="main"
          disabled={isConnecting.value}
          onClick={() => attempt(connectDemo)}
        >
          Demo key
        </button>
      ) : null}
      <button
        type="button"
        disabled={isConnecting.value || browserWallet() === null}
        title={browserWallet() === null ? 'There is no wallet in this browser' : ''}
        onClick={() => attempt(() => connectWallet(true))}
      >
        Wallet
      </button>
    </div>
  )
}
