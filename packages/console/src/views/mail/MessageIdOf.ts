const ownMessageId = /^<([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/

/** The id of the message that a mail was written for: the first part of the Message-ID that the service writes. */
export const messageIdOf = (header: string): string | undefined => ownMessageId.exec(header)?.[1]
