import { RawRelay } from "@switchboard/services/email/forwarding/RawRelay"
import { Effect, Layer } from "effect"
import type { SmtpRelay } from "../smtp/client/SmtpRelay.js"
import { relayPool } from "./RelayPool.js"
import { sendOverSmtp } from "./SendOverSmtp.js"

/** Forwards received mail to the relay, octet by octet, over connections of its own: it does not wait behind sends. */
export const RawRelaySmtp = (relay: SmtpRelay, connections: number) =>
  Layer.scoped(
    RawRelay,
    Effect.map(relayPool(relay, connections, "forwards"), (pool) => ({
      send: ({ mailFrom, raw, rcptTo }) => sendOverSmtp(pool, { mailFrom, rcptTo: [rcptTo] }, raw)
    }))
  )
