/** Returns a name in camel case: `marginMode` for `margin_mode`. */
export function camelCaseOf(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
