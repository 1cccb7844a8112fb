import { Effect } from "effect"
import { Command } from "../sms/Pdu.js"
import type { SmppSession } from "../sms/SmppSession.js"
import { Status } from "../sms/SmppStatus.js"

/** A session of the local handset. */
export interface Peer {
  readonly session: SmppSession
  /** A service sends texts to phones; a phone sends texts to numbers of a service. */
  role: "unbound" | "service" | "phone"
  /** Bound as a receiver or transceiver. */
  canReceive: boolean
}

/** The sessions that are bound to the local handset. */
export interface HandsetSessions {
  readonly bind: (peer: Peer, role: Exclude<Peer["role"], "unbound">, canReceive: boolean) => void
  readonly remove: (peer: Peer) => void
  /** Completes when a service can receive. */
  readonly receiving: Effect.Effect<void>
  /** A service that can receive: the preferred one, or each in turn. */
  readonly receiver: (preferred?: Peer) => Peer | undefined
  /** Sends a deliver_sm; returns the command_status of the response, or a temporary error if there is none. */
  readonly deliver: (peer: Peer, body: Uint8Array) => Effect.Effect<number>
}

/** Makes an empty set of sessions. */
export const makeHandsetSessions = Effect.map(Effect.makeLatch(false), (latch): HandsetSessions => {
  const receivers = new Set<Peer>()
  return {
    bind: (peer, role, canReceive) => {
      peer.role = role
      peer.canReceive = canReceive
      peer.session.isBound = true
      if (role !== "service" || !canReceive) return
      receivers.add(peer)
      latch.unsafeOpen()
    },
    remove: (peer) => {
      receivers.delete(peer)
      if (receivers.size === 0) latch.unsafeClose()
    },
    receiving: latch.await,
    receiver: (preferred) => {
      if (preferred !== undefined && receivers.has(preferred)) return preferred
      const [next] = receivers
      if (next === undefined) return undefined
      receivers.delete(next)
      receivers.add(next)
      return next
    },
    deliver: ({ session }, body) =>
      Effect.async<number>((resume) => {
        const withdraw = session.request(Command.deliverSm, body, (result) =>
          resume(Effect.succeed(result._tag === "Responded" ? result.status : Status.temporaryError))
        )
        return Effect.sync(withdraw)
      })
  }
})
