import { render } from 'preact'
import { startAccount } from './state/account.js'
import { startBook } from './state/book.js'
import { startChain } from './state/chain.js'
import { startChoice } from './state/choice.js'
import { startLatency } from './state/latency.js'
import { attempt } from './state/notices.js'
import { startOwnBooks } from './state/own-books.js'
import { startProviderQuotes } from './state/provider-quotes.js'
import { addChosen, startRfq } from './state/rfq.js'
import { resumeSession } from './state/session.js'
import { startTicket } from './state/ticket.js'
import { cancelAll, cancelLatest, changeLatest, startPreview } from './state/trading.js'
import { startVenue } from './state/venue.js'
import { App } from './views/app.jsx'
import { choosePerp, startKeys } from './views/keys.jsx'
import { openPanel } from './views/panels.jsx'

// Renders the frame before the first request.
startChoice()
render(<App />, document.getElementById('pages')!)
startVenue()
startChain()
startBook()
startAccount()
startOwnBooks()
startProviderQuotes()
startTicket()
startPreview()
startRfq()
startLatency()
startKeys({
  'change-latest': () => void attempt(changeLatest),
  'cancel-latest': () => void attempt(cancelLatest),
  'cancel-all': () => void attempt(cancelAll),
  'rfq-buy': () => addLegByKey('Buy'),
  'rfq-sell': () => addLegByKey('Sell'),
  perp: () => {
    choosePerp()
    openPanel('Perps')
  },
  protection: () => openPanel('MMP'),
  agents: () => openPanel('Agents'),
})
void attempt(resumeSession)

function addLegByKey(side: 'Buy' | 'Sell'): void {
  addChosen(side)
  openPanel('RFQ')
}
