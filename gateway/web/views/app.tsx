import { Book, Tape } from './book.jsx'
import { Chain } from './chain.jsx'
import { KeyHelp } from './keys.jsx'
import { TopBar } from './top-bar.jsx'

/** The whole page. */
export function App() {
  return (
    <>
      <TopBar />
      <main>
        <div class="left">
          <Chain />
        </div>
        <div class="side">
          <Book />
          <Tape />
        </div>
      </main>
      <KeyHelp />
    </>
  )
}
