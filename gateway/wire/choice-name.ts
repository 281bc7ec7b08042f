/** Name of the browser storage item that holds the theme, and other choices, of the pages at `/app`. */
export const choiceName = 'strikebook.choice'
