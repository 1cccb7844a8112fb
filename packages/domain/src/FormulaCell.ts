/** Matches the first characters of a formula, also after white space and in full-width form. */
const formula = "(?:[\\t\\r\\n]|\\s*[=+\\-@＝＋－＠])"
const runnable = new RegExp(`^'*${formula}`)
const escaped = new RegExp(`^'+${formula}`)

/** Adds an apostrophe to a cell of CSV that a spreadsheet would run as a formula, which makes it text. */
export const escapeFormula = (cell: string): string => (runnable.test(cell) ? `'${cell}` : cell)

/** Removes the apostrophe of an escaped cell. */
export const unescapeFormula = (cell: string): string => (escaped.test(cell) ? cell.slice(1) : cell)
