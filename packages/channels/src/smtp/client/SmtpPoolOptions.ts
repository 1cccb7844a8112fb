import type { Duration } from "effect"
import type { ConnectionEvents } from "./SmtpConnection.js"
import type { SmtpRelay } from "./SmtpRelay.js"
import type { SmtpFailure } from "./SmtpReply.js"

/**
 * Whether connections send the envelope of the next mail with the end of a mail (RFC 2920 section 3.1). Some relays then
 * reply to the envelope before they reply to the mail.
 */
export interface EnvelopeOverlap {
  readonly isEnabled: () => boolean
  /** Called when the relay replied out of order. */
  readonly disable: () => void
}

/** An overlap that is enabled until the relay replies out of order. */
export const envelopeOverlap = (onDisabled: () => void = () => undefined): EnvelopeOverlap => {
  let isEnabled = true
  return {
    isEnabled: () => isEnabled,
    disable: () => {
      if (isEnabled) onDisabled()
      isEnabled = false
    }
  }
}

/** A server to which no session could be opened, and why. */
export interface FailedServer {
  readonly server: SmtpRelay
  readonly failure: SmtpFailure
}

/** The events of all connections of a pool. */
export type PoolEvents = Omit<ConnectionEvents, "lost">

/** The servers, connections and events of a pool. */
export interface SmtpPoolOptions {
  /**
   * The server for a new connection after those to which none could be opened for the same mail; null if none is left: the
   * mail fails with the last failure.
   */
  readonly nextServer: (failed: ReadonlyArray<FailedServer>) => SmtpRelay | null
  /** The maximum number of connections now. */
  readonly connections: () => number
  /** Default: 30 seconds. */
  readonly idleTimeout?: Duration.Duration
  readonly events?: PoolEvents
  readonly overlap?: EnvelopeOverlap
}

/** The only server of a pool. */
export const oneServer =
  (relay: SmtpRelay): SmtpPoolOptions["nextServer"] =>
  ({ length }) =>
    length === 0 ? relay : null

/** The right to send a mail, which can end while the mail waits for a connection. */
export interface SmtpLease {
  readonly owner: string
  readonly isHeld: () => boolean
  /** Called in place of `done` if the lease is not held when the mail has a connection, or if it does not get one. */
  readonly lost: () => void
}
