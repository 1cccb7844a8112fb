import { Schema } from "effect"
import { Timestamp } from "../Timestamp.js"

/** A log-in. What is wrong with the key is for the answer to say, not for its form. */
export const CreateSession = Schema.Struct({
  apiKey: Schema.String.annotations({ description: "an API key" })
}).annotations({ identifier: "CreateSession" })

/** What a page learns of its own log-in; the cookie itself is kept from its scripts. */
export class Session extends Schema.Class<Session>("Session")({
  csrfToken: Schema.String.annotations({
    description: "the value of the header X-CSRF-Token of every request that changes something"
  }),
  expiresAt: Timestamp
}) {}
