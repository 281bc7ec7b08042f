import { render } from 'preact'
import { startBook } from './state/book.js'
import { startChain } from './state/chain.js'
import { startChoice } from './state/choice.js'
import { startVenue } from './state/venue.js'
import { App } from './views/app.jsx'
import { startKeys } from './views/keys.jsx'

// The frame is there before anything was asked.
startChoice()
render(<App />, document.getElementById('pages')!)
startVenue()
startChain()
startBook()
startKeys({}, 1)
