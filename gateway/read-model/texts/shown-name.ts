import { displayNameOf } from '../../../schemas/username.js'
import type { EventViews } from '../views/event-views.js'

/** What a wallet is shown as: its name, or what is derived from its address. */
export function shownName({ usernames }: EventViews, wallet: string): string {
  return displayNameOf(wallet, usernames.of(wallet))
}
