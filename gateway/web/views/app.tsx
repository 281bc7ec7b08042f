import { type PartName, part } from '../state/choice.js'
import { isConnected } from '../state/venue.js'
import { AccountMenu } from './account-menu.jsx'
import { Activity, Book } from './book.jsx'
import { Chain } from './chain.jsx'
import { KeyHelp } from './keys.jsx'
import { Notices } from './notices.jsx'
import { Panels } from './panels.jsx'
import { Ticket } from './ticket.jsx'
import { TopBar } from './top-bar.jsx'

/** Whole page. A phone shows one part at a time. */
export function App() {
  return (
    <>
      <TopBar>
        <AccountMenu />
      </TopBar>
      <main data-part={part.value} class={isConnected.value ? '' : 'stale'}>
        <div class="left">
          <Chain />
          <Panels />
        </div>
        <div class="side">
          <Ticket />
          <Book />
          <Activity />
        </div>
      </main>
      <PartBar />
      <Notices />
      <KeyHelp />
    </>
  )
}

const parts: Readonly<Record<PartName, string>> = {
  ...{ chain: 'Chain', book: 'Book', ticket: 'Trade', panel: 'Account' },
}

function PartBar() {
  return (
    <nav class="parts" aria-label="Sections">
      {Object.entries(parts).map(([name, word]) => (
        <button
          type="button"
          key={name}
          aria-current={part.value === name}
          onClick={() => {
            part.value = name as PartName
          }}
        >
          {word}
        </button>
      ))}
    </nav>
  )
}
