import { send } from "../ServiceCalls.js"

/** What a scenario sends. Each recipient gets one message. */
export interface Sends {
  /** All recipients of the message of a recipient, which is the first. Default: no others. */
  readonly recipients?: (recipient: string) => ReadonlyArray<string>
  /** The body of the request, without its key. */
  readonly body: (recipient: string) => object
  /** The parts of a message as a peer records them: they are the same in each copy. */
  readonly parts: (recipient: string, id: string) => ReadonlyArray<string>
}

/** Mails of the first sender. Their part is the Message-ID. */
export const mails: Sends = {
  body: (email) => send({ to: [{ email }] }, { subject: email }),
  parts: (_, id) => [`<${id}@localhost.test>`]
}
