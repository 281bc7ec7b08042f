import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isLongRun } from '../support/long-test.js'
import { lacksBrowser, type PageBrowser, startBrowser } from '../support/page-browser.js'
import { addFakeWallet, type FakeWallet, type FakeWalletOptions } from './support/fake-wallet.js'
import { eventually, Venue } from './support/venue.js'

// A browser wallet at /app, with MetaMask's behaviour. It starts on Ethereum's chain 1, signs only for its current
// chain, and adds a chain only if the chain's RPC URL reports that chain id.

const skip = isLongRun ? lacksBrowser : 'npm run test:long'
const venue = new Venue({ arguments: ['--feed=simulated', '--maker=on'] })
const venueChain = 31_337
const phoneWidth = 390
const patience = { timeout: 60_000 }
const addingCalls = [
  ...['eth_requestAccounts', 'wallet_switchEthereumChain', 'wallet_addEthereumChain'],
]

if (skip === false) {
  before(() => venue.start())
  after(() => venue.dispose())
}

interface Wallet extends PageBrowser {
  readonly wallet: FakeWallet
  seen(selector: string, hasText?: string | RegExp): Promise<void>
  press(...keys: readonly string[]): Promise<void>
  connect(): Promise<void>
}

/** Test of a page with a wallet; closes the browser when it ends. */
function walletTest(
  name: string,
  options: FakeWalletOptions,
  run: (rig: Wallet) => Promise<void>,
): void {
  test(name, { skip }, async () => {
    const browser = await startBrowser()
    const { page } = browser
    const seen = (selector: string, hasText: string | RegExp = '') =>
      page.locator(selector, { hasText }).first().waitFor(patience)
    try {
      const wallet = await addFakeWallet(page, options)
      for (const key of wallet.keys)
        await venue.set('/deposits', { wallet: key.wallet, amount: '50000' })
      await page.goto(`${venue.url}/app`)
      await seen('td.bid', /\d/)
      await run({
        ...{ ...browser, wallet, seen },
        async press(...keys) {
          for (const key of keys) await page.keyboard.press(key)
        },
        connect: () => page.locator('button', { hasText: /^Connect wallet$/ }).click(),
      })
    } finally {
      await browser.close()
    }
  })
}

/** Places an option order that rests. */
async function placeOrder({ page, press }: Wallet): Promise<void> {
  await press('j', 'b')
  await page.locator('input[name=price]').fill('1.25')
  await press('Enter', 'Escape', '1')
}

walletTest('a wallet on chain 1 trades options, a perp and a combo', {}, async (rig) => {
  const { page, wallet, seen, press, connect, complaints } = rig
  await connect()
  await seen('.account b', '50,000.00')
  assert.deepEqual([await wallet.calls(), await wallet.chainId()], [addingCalls, venueChain])
  await placeOrder(rig)
  await seen('.panel button.cancel', 'Cancel')
  await page.locator('.panel button.cancel').first().click()
  await seen('.panel .empty', 'No open orders')
  await press('p')
  await seen('.perps .list td', 'BTC perp')
  await seen('.rung.ask .price', /^9|^1/)
  await press('b')
  const ask = await page.evaluate<string>(`document.querySelector('input[name=price]').value`)
  assert.ok(Number(ask) > 1000, `the ask is ${ask}`)
  // The market moves: the order trades at up to one percent above the ask.
  await page.locator('input[name=price]').fill(String(Math.round(Number(ask) / 99) * 100))
  await press('Enter', 'Escape')
  await seen('.notices', 'Bought 0.1 BTC perp')
  await press('j', 'r', 'j', 'R')
  await seen('.rfq .leg')
  await page.locator('button', { hasText: 'Request quotes' }).click()
  await page.locator('button.accept').first().waitFor(patience)
  await page.locator('button.accept').first().click()
  await seen('.live-rfq h3', 'Executed')
  assert.deepEqual(
    new Set((await wallet.calls()).slice(addingCalls.length)),
    new Set(['eth_signTypedData_v4']),
  )
  // The page retries a read that a busy venue does not answer.
  const others = complaints.filter((text) => !text.startsWith('Failed to load resource'))
  assert.deepEqual(others, [])
})

walletTest(
  'a wallet changes and cancels a perp order',
  { chains: [1, venueChain] },
  async ({ page, wallet, seen, press, connect }) => {
    await connect()
    await seen('.account b', '50,000.00')
    assert.deepEqual(await wallet.calls(), addingCalls.slice(0, 2))
    await press('p', 'b')
    await seen('.perps .list td', 'BTC perp')
    await page.locator('input[name=price]').fill('91000')
    await press('Enter', 'Escape', '1')
    await seen('.panel .list td', /^91000$/)
    await press('c')
    await seen('.change', /0\.1 at 91000/)
    await page.locator('input[name=price]').fill('92000')
    await press('Enter', 'Escape')
    await seen('.panel .list td', /^92000$/)
    await press('x')
    await seen('.panel .empty', 'No open orders')
  },
)

for (const [kind, options] of [
  ['a wallet on a phone, which wraps the code of an unknown chain,', { isWrapping: true }],
  ['a wallet that adds a chain without selecting it', { isOnlyAdding: true }],
] as const) {
  walletTest(`${kind} is on the venue’s chain once it has connected`, options, async (rig) => {
    await rig.connect()
    await rig.seen('.account b', '50,000.00')
    assert.equal(await rig.wallet.chainId(), venueChain)
    await placeOrder(rig)
    await rig.seen('.panel button.cancel', 'Cancel')
  })
}

walletTest(
  'the page tells an owner who declines to switch or add which chain is needed',
  {},
  async (rig) => {
    const { wallet, seen, connect } = rig
    await wallet.declineNext('wallet_addEthereumChain')
    await connect()
    await seen(
      '.notices .bad',
      /did not add chain 31337 \(Strikebook development\): declined\. .*\/app\/chain-rpc/,
    )
    await wallet.declineNext('wallet_switchEthereumChain')
    await connect()
    await seen(
      '.notices .bad',
      /did not switch and stays on chain 1: declined\. Select chain 31337/,
    )
    await connect()
    await seen('.account b', '50,000.00')
  },
)

walletTest(
  'the page tells the owner of a wallet that cannot switch which chain to select by hand',
  { chains: [1, venueChain], lacks: ['wallet_switchEthereumChain'] },
  async ({ wallet, seen, connect }) => {
    await connect()
    await seen(
      '.notices .bad',
      /cannot switch chains for a page and stays on chain 1\. Select chain 31337/,
    )
    await wallet.selectChain(venueChain)
    await connect()
    await seen('.account b', '50,000.00')
  },
)

walletTest(
  'the page shows a chain that the owner changed, and switches back to sign',
  { otherChainCode: -32602 },
  async (rig) => {
    const { page, wallet, seen, connect } = rig
    await connect()
    await seen('.account b', '50,000.00')
    await wallet.selectChain(1)
    await seen('.account button', 'Switch to chain 31337')
    await page.setViewportSize({ width: phoneWidth, height: 844 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phoneWidth)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.locator('.account button', { hasText: 'Switch to chain' }).click()
    await eventually('the wallet is back', async () => (await wallet.chainId()) === venueChain)
    await eventually('the button is gone', async () => {
      return (await page.locator('.account button', { hasText: 'Switch to chain' }).count()) === 0
    })
    await wallet.selectChain(1)
    await wallet.declineNext('wallet_switchEthereumChain')
    await placeOrder(rig)
    await seen(
      '.notices .bad',
      /stays on chain 1: declined\. Select chain 31337 \(Strikebook development\)/,
    )
    await placeOrder(rig)
    await seen('.panel button.cancel', 'Cancel')
    await wallet.declineNext('eth_signTypedData_v4')
    await page.locator('.panel button.cancel').first().click()
    await seen('.notices .bad', 'You declined the signature in the wallet')
    // A reload asks the owner for nothing.
    await wallet.selectChain(1)
    await page.reload()
    await seen('.account button', 'Switch to chain 31337')
    assert.deepEqual(await wallet.calls(), [])
  },
)

walletTest('the page follows the account of the wallet', {}, async (rig) => {
  const { wallet, seen, connect } = rig
  await connect()
  await seen('.account b', '50,000.00')
  await placeOrder(rig)
  await seen('.panel button.cancel', 'Cancel')
  await wallet.selectAccount(1)
  await seen('.notices', 'Switched to wallet')
  await seen('.account span', wallet.keys[1]!.wallet.slice(0, 6))
  await seen('.account b', '50,000.00')
  await seen('.panel .empty', 'No open orders')
  await placeOrder(rig)
  await seen('.panel button.cancel', 'Cancel')
  await wallet.selectAccount(null)
  await seen('.notices', 'Wallet disconnected')
  await seen('.account button', /^Connect wallet$/)
})
