import type { BrowserPage } from '../../support/page-browser.js'
import { WalletKey } from './signed-body.js'

/** Differences of a wallet from MetaMask's extension. */
export interface FakeWalletOptions {
  readonly chainId?: number
  /** Chains that it knows. */
  readonly chains?: readonly number[]
  /** Wraps the code of an unknown chain, as MetaMask does on phones. */
  readonly isWrapping?: boolean
  /** Adds a chain without selecting it. */
  readonly isOnlyAdding?: boolean
  /** Code of the error for a signature on another chain. */
  readonly otherChainCode?: -32603 | -32602
  /** Methods that it lacks. */
  readonly lacks?: readonly string[]
}

/** Wallet in the page that follows EIP-1193, 3085 and 3326 as MetaMask does. */
export interface FakeWallet {
  readonly keys: readonly WalletKey[]
  /** Returns the methods that the page called, without reads of chain and accounts. */
  calls(): Promise<readonly string[]>
  chainId(): Promise<number>
  /** Selects another chain, as its owner would. */
  selectChain(chainId: number): Promise<void>
  /** Selects an account of `keys`, or disconnects the page with null, as its owner would. */
  selectAccount(index: number | null): Promise<void>
  /** Declines the next call of this method, as its owner would. */
  declineNext(method: string): Promise<void>
}

/** Adds a wallet to all documents that the page loads from now on. */
export async function addFakeWallet(
  page: BrowserPage,
  options: FakeWalletOptions = {},
): Promise<FakeWallet> {
  const keys = [new WalletKey(), new WalletKey()]
  await page.exposeFunction('signTypedText', (text) => {
    const { address, data } = JSON.parse(text) as { address: string; data: string }
    const key = keys.find(({ wallet }) => wallet === address.toLowerCase())!
    return key.account.signTypedData(JSON.parse(data))
  })
  const given = {
    ...{ chainId: 1, chains: [1], isWrapping: false, isOnlyAdding: false, otherChainCode: -32603 },
    ...{ lacks: [], ...options },
    addresses: keys.map(({ account }) => account.address),
  }
  await page.addInitScript(`(${walletScript})(${JSON.stringify(given)})`)
  return {
    keys,
    calls: () => page.evaluate('window.fakeWallet.calls'),
    chainId: () => page.evaluate('window.fakeWallet.chainId'),
    selectChain: (chainId) => page.evaluate(`window.fakeWallet.setChain(${chainId})`),
    selectAccount: (index) => page.evaluate(`window.fakeWallet.setAccount(${index})`),
    declineNext: (method) =>
      page.evaluate(`void window.fakeWallet.declines.push(${JSON.stringify(method)})`),
  }
}

const walletScript = `(options) => {
  const failure = (code, message, data) => Object.assign(new Error(message), { code, data })
  const hex = (id) => '0x' + id.toString(16)
  const listeners = {}
  const emit = (event, value) =>
    setTimeout(() => (listeners[event] ?? []).forEach((one) => one(value)))
  const stored = JSON.parse(sessionStorage.getItem('fake-wallet') ?? 'null')
  const { chainId, chains } = options
  const state = stored ?? { chainId, chains: [...chains], account: 0, isConnected: false }
  const keep = () => sessionStorage.setItem('fake-wallet', JSON.stringify(state))
  const quiet = ['eth_chainId', 'eth_accounts']
  const accounts = () => (state.isConnected ? [options.addresses[state.account].toLowerCase()] : [])
  const wallet = {
    calls: [],
    declines: [],
    get chainId() { return state.chainId },
    setChain(id) {
      state.chainId = id
      keep()
      emit('chainChanged', hex(id))
      // MetaMask sends these events while it switches.
      emit('disconnect', failure(1013, 'Disconnected from chain. Attempting to connect.'))
      emit('connect', { chainId: hex(id) })
    },
    setAccount(index) {
      state.isConnected = index !== null
      state.account = index ?? 0
      keep()
      emit('accountsChanged', accounts())
    },
  }
  const openRequests = new Set()
  const unknown = (id) => {
    const message =
      'Unrecognized chain ID "' + id + '". Try adding it using wallet_addEthereumChain first.'
    return options.isWrapping
      ? failure(-32603, message, { originalError: { code: 4902 } })
      : failure(4902, message)
  }
  const addChain = async (given) => {
    const optional = ['blockExplorerUrls', 'iconUrls']
    const allowed = ['chainId', 'chainName', 'nativeCurrency', 'rpcUrls', ...optional]
    const others = Object.keys(given).filter((name) => !allowed.includes(name))
    if (others.length > 0) throw failure(-32602, 'Received unexpected keys: ' + others)
    const isSecure = (text) => {
      const { protocol, hostname } = new URL(text)
      return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1'
    }
    const url = given.rpcUrls.find(isSecure)
    const wanted = "Expected an array with at least one valid string HTTPS url 'rpcUrls'"
    if (url === undefined) throw failure(-32602, wanted)
    if (!given.chainName) throw failure(-32602, "Expected non-empty string 'chainName'")
    const { symbol, decimals } = given.nativeCurrency
    if (decimals !== 18) throw failure(-32602, 'Expected the number 18')
    if (symbol.length < 2 || symbol.length > 6) throw failure(-32602, 'Expected 2-6 characters')
    const asked = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(asked) })
    const { result } = await response.json()
    if (result !== given.chainId) throw failure(-32603, 'Chain ID of RPC URL does not match')
    state.chains.push(Number(given.chainId))
    if (!options.isOnlyAdding) wallet.setChain(Number(given.chainId))
    keep()
    return null
  }
  const methods = {
    eth_chainId: () => hex(state.chainId),
    eth_accounts: accounts,
    eth_requestAccounts() {
      state.isConnected = true
      keep()
      return accounts()
    },
    wallet_switchEthereumChain([{ chainId }]) {
      if (!/^0x[1-9a-f][0-9a-f]*$/.test(chainId)) throw failure(-32602, 'Expected a chain id')
      if (!state.chains.includes(Number(chainId))) throw unknown(chainId)
      wallet.setChain(Number(chainId))
      return null
    },
    wallet_addEthereumChain: ([given]) => addChain(given),
    eth_signTypedData_v4([address, data]) {
      const { domain, types } = JSON.parse(data)
      if (types.EIP712Domain === undefined) throw failure(-32602, 'Invalid typed data')
      if (Number(domain.chainId) !== state.chainId) {
        const [provided, active] = [domain.chainId, state.chainId].map((id) => '"' + id + '"')
        const text = 'Provided chainId ' + provided + ' must match the active chainId ' + active
        throw failure(options.otherChainCode, text)
      }
      if (!accounts().includes(address.toLowerCase())) throw failure(4100, 'Unauthorized')
      return window.signTypedText(JSON.stringify({ address, data }))
    },
  }
  const request = async ({ method, params = [] }) => {
    if (!quiet.includes(method)) wallet.calls.push(method)
    if (methods[method] === undefined || options.lacks.includes(method)) {
      throw failure(4200, 'The requested method is not supported by this Ethereum provider.')
    }
    const isAsking = method.startsWith('wallet_')
    if (isAsking && openRequests.has(method)) throw failure(-32002, 'Request is already pending')
    const declined = wallet.declines.indexOf(method)
    if (declined >= 0) {
      wallet.declines.splice(declined, 1)
      throw failure(4001, 'User rejected the request.')
    }
    openRequests.add(method)
    // The owner takes a moment.
    if (!quiet.includes(method)) await new Promise((resolve) => setTimeout(resolve, 50))
    try {
      return await methods[method](params)
    } finally {
      openRequests.delete(method)
    }
  }
  window.fakeWallet = wallet
  window.ethereum = {
    isMetaMask: true,
    request,
    on: (event, listener) => (listeners[event] ??= []).push(listener),
  }
}`
