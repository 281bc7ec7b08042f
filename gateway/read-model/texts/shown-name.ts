import { displayNameOf } from '../../../schemas/username.js'
import type { EventViews } from '../views/event-views.js'

/** Returns the display name of a wallet: its username, or a name derived from its address. */
export function shownName({ usernames }: EventViews, wallet: string): string {
  return displayNameOf(wallet, usernames.of(wallet))
}
