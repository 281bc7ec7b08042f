/** Colors of pages without a script, equal to those of `gateway/web/pages.css`. */
const light =
  '--back:#f3f5f8;--card:#ffffff;--line:#d9dfe8;--text:#17202c;--dim:#5a6878;--accent:#1f5fd0'
const dark =
  '--back:#10141a;--card:#171d26;--line:#2a3442;--text:#e4e9f0;--dim:#93a1b3;--accent:#6ea8fe'

/** Style of pages without a script. They follow the theme of the system. */
export const themeStyle =
  `:root{color-scheme:light dark;${light}}@media (prefers-color-scheme:dark){:root{${dark}}}` +
  'body{background:var(--back);color:var(--text)}a{color:var(--accent)}small{color:var(--dim)}' +
  'pre{background:var(--card);border:1px solid var(--line)}'
