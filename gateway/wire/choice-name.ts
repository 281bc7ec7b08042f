/** Browser storage key of the theme and other choices of the pages at `/app`. */
export const choiceName = 'strikebook.choice'
