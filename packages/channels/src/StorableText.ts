/** Somebody else's text as PostgreSQL can store it: without NUL and lone surrogates. */
export const storableText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, "\uFFFD")
