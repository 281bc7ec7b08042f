// Text that the browser stores for the page. Browsers deny storage by content setting, in sandboxed frames and in some
// private windows (reading `window.localStorage` throws), and reject what exceeds their quota (`setItem` throws). The page
// then keeps the text in memory, so that everything works until the tab closes.

export interface KeptText {
  /** Returns the text of a name, or null. */
  get(name: string): string | null
  /** Keeps a text. @returns false if only memory has it, so that a reload loses it. */
  set(name: string, text: string): boolean
  remove(name: string): void
}

/** Stored for all tabs, until the user clears it. */
export const keptForSite = keptText(() => localStorage)
/** Stored for this tab, until it closes. */
export const keptForTab = keptText(() => sessionStorage)

/** Wraps a storage that may throw at every access. @param storage Returns the storage; it may throw too. */
export function keptText(storage: () => Storage): KeptText {
  /** Changes that the storage did not accept; null: removed. */
  const pending = new Map<string, string | null>()
  return {
    get(name) {
      const text = pending.get(name)
      if (text !== undefined) return text
      return attempted(() => storage().getItem(name), null)
    },
    set(name, text) {
      attempted(() => storage().setItem(name, text), undefined)
      const isStored = attempted(() => storage().getItem(name) === text, false)
      if (isStored) pending.delete(name)
      else pending.set(name, text)
      return isStored
    },
    remove(name) {
      const isRemoved = attempted(() => {
        storage().removeItem(name)
        return true
      }, false)
      if (isRemoved) pending.delete(name)
      else pending.set(name, null)
    },
  }
}

function attempted<Value>(work: () => Value, otherwise: Value): Value {
  try {
    return work()
  } catch {
    return otherwise
  }
}
