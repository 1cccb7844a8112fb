/**
 * SQL: words of the domain as a list for `IN`. They are part of the statement, so that a partial index on the same list
 * serves it.
 */
export const textList = (words: ReadonlyArray<string>) => `(${words.map((word) => `'${word}'`).join(", ")})`
