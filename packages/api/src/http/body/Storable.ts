/** Text that PostgreSQL cannot store: NUL and lone surrogates. */
const unstorable = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Whether a text can be stored. */
export const isStorable = (text: string): boolean => !unstorable.test(text)

/** The error of a text that cannot be stored. */
export const unstorableText = "must not contain NUL or lone surrogates"
