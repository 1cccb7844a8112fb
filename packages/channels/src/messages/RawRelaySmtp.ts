import { RawRelay } from "@switchboard/services/email/forwarding/RawRelay"
import { Effect, Layer } from "effect"
import { RelaySettings } from "../smtp/client/SmtpRelay.js"
import { relayPool } from "./RelayPool.js"
import { sendLeased } from "./SendOverSmtp.js"

const maxConnections = 4

/** Forwards raw mail unchanged to the relay. Its own connection pool keeps it from waiting behind messages. */
export const RawRelaySmtp = Layer.scoped(
  RawRelay,
  Effect.gen(function* () {
    const pool = yield* relayPool(yield* RelaySettings, maxConnections, "forwards")
    return {
      send: ({ mailFrom, raw, rcptTo }, lease) => sendLeased(pool, { mailFrom, rcptTo: [rcptTo] }, raw, lease)
    }
  })
)
