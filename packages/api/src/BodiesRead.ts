import type { IncomingMessage } from "node:http"

/** Bodies that were read before it was known which way their request goes: nobody can read them again. */
const read = new WeakMap<IncomingMessage, Uint8Array>()

/** Keeps the whole body of a request for whoever asks for it next. */
export const keepBody = (request: IncomingMessage, body: Uint8Array): void => void read.set(request, body)

/** The whole body of a request, if somebody has read it. */
export const bodyKept = (request: IncomingMessage): Uint8Array | undefined => read.get(request)
