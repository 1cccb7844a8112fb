/** Whether PostgreSQL can store a text: it cannot store NUL and lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** The error of a text that cannot be stored. */
export const unstorableText = "must not contain NUL or lone surrogates"
