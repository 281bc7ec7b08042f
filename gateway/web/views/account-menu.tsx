import { moneyText, secondsText, shortAddress } from '../model/numbers.js'
import { portfolio, sumOfGains } from '../state/account.js'
import { browserWallet, walletChain } from '../state/browser-wallet.js'
import { attempt } from '../state/notices.js'
import {
  connectDemo,
  connectWallet,
  faucetAtMillis,
  isConnecting,
  leave,
  requestFunds,
  selectVenueChain,
  session,
} from '../state/session.js'
import { venueInfo } from '../state/venue.js'
import { Gain } from './orders.jsx'
import { useCountdown } from './use-countdown.js'

/** Menu of the session, or buttons to connect. */
export function AccountMenu() {
  const current = session.value
  const hasFaucet = venueInfo.value?.preset === 'development'
  if (current === null) return <Begin hasFaucet={hasFaucet} />
  return (
    <div class="account">
      <span title={current.client.wallet}>
        {shortAddress(current.client.wallet)} <small class="dim">{kindWords[current.kind]}</small>
      </span>
      <b title="Equity, USD">{moneyText(portfolio.value?.equity)}</b>
      {portfolio.value === null ? null : (
        <span class="pnl" title="Unrealized P&L of all positions, USD">
          <small class="dim">P&L</small> <Gain usd={sumOfGains(portfolio.value.positions)} />
        </span>
      )}
      <ChainSwitch />
      {hasFaucet ? <Faucet /> : null}
      <button type="button" class="quiet" onClick={leave}>
        Disconnect
      </button>
    </div>
  )
}

/** Button that requests paper money, or counts down to the next grant. */
function Faucet() {
  const atMillis = faucetAtMillis.value
  const leftMillis = useCountdown(atMillis)
  return (
    <button
      type="button"
      class="faucet"
      disabled={leftMillis > 0}
      title={leftMillis > 0 ? 'One grant per minute' : 'Get demo funds'}
      onClick={() => attempt(requestFunds)}
    >
      Faucet{leftMillis > 0 ? ` in ${secondsText(leftMillis)}` : ''}
    </button>
  )
}

/** Button that is shown while the wallet is on another chain than the venue's. */
function ChainSwitch() {
  const [current, venue] = [walletChain.value, venueInfo.value?.chain_id]
  if (current === null || venue === undefined || current === venue) return null
  return (
    <button
      type="button"
      class="main"
      title={`The wallet is on chain ${current}; this venue requires signatures for chain ${venue}`}
      onClick={() => attempt(selectVenueChain)}
    >
      Switch to chain {venue}
    </button>
  )
}

const kindWords = { demo: 'demo wallet', wallet: 'browser wallet' } as const

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
          Connect demo wallet
        </button>
      ) : null}
      <button
        type="button"
        disabled={isConnecting.value || browserWallet() === null}
        title={browserWallet() === null ? 'No wallet extension found in this browser' : ''}
        onClick={() => attempt(() => connectWallet(true))}
      >
        Connect wallet
      </button>
    </div>
  )
}
