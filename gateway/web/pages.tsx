import { render } from 'preact'
import { startAccount } from './state/account.js'
import { startBook } from './state/book.js'
import { startChain } from './state/chain.js'
import { panel, startChoice } from './state/choice.js'
import { startLatency } from './state/latency.js'
import { attempt } from './state/notices.js'
import { addChosen, startRfq } from './state/rfq.js'
import { resumeSession } from './state/session.js'
import { cancelAll, cancelLatest, startPreview } from './state/trading.js'
import { startVenue } from './state/venue.js'
import { App } from './views/app.jsx'
import { startKeys } from './views/keys.jsx'
import { panels } from './views/panels.jsx'
import { Rfq } from './views/rfq.jsx'

// The frame is there before anything was asked.
startChoice()
render(<App />, document.getElementById('pages')!)
startVenue()
startChain()
startBook()
startAccount()
startPreview()
startRfq()
startLatency()
startKeys(
  {
    'cancel-latest': () => void attempt(cancelLatest),
    'cancel-all': () => void attempt(cancelAll),
    'rfq-buy': () => addLegByKey('Buy'),
    'rfq-sell': () => addLegByKey('Sell'),
  },
  panels.length,
)
void attempt(resumeSession)

function addLegByKey(side: 'Buy' | 'Sell'): void {
  addChosen(side)
  panel.value = panels.findIndex(([, shown]) => shown === Rfq) + 1
}
