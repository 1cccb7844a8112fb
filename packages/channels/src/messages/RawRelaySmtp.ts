import { RawRelay } from "@switchboard/services/email/forwarding/RawRelay"
import { Effect, Layer } from "effect"
import { RelaySettings } from "../smtp/client/SmtpRelay.js"
import { relayPool } from "./RelayPool.js"
import { sendOverSmtp } from "./SendOverSmtp.js"

/** Connections for forwarded mail. */
const connections = 4

/** Forwards received mail to the relay, octet by octet, over connections of its own: it does not wait behind sends. */
export const RawRelaySmtp = Layer.scoped(
  RawRelay,
  Effect.gen(function* () {
    const pool = yield* relayPool(yield* RelaySettings, connections, "forwards")
    return { send: ({ mailFrom, raw, rcptTo }) => sendOverSmtp(pool, { mailFrom, rcptTo: [rcptTo] }, raw) }
  })
)
