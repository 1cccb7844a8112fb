const id = /^<?([\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})(?:@[^\s<>]*>?)?$/i

/** The id that a text consists of; also that of a message in the Message-ID that the service writes: `<id@domain>`. */
export const idIn = (text: string): string | undefined => id.exec(text.trim())?.[1]?.toLowerCase()
