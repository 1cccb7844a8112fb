import { connect } from "node:net"
import { Duration } from "effect"
import type { SMTPPoolOptions } from "nodemailer"

/**
 * Opens the connections of a pool. The pool by itself has one deadline from the first packet to the greeting; a relay
 * that is not there should be noticed long before one that is slow to greet is given up (RFC 5321 section 4.5.3.2.1).
 */
export const relaySocket =
  (within: Duration.Duration): NonNullable<SMTPPoolOptions["getSocket"]> =>
  ({ host = "localhost", port }, callback) => {
    const socket = connect({ host, port: Number(port) })
    const tooLate = () => socket.destroy(new Error(`No connection within ${Duration.format(within)}`))
    const failed = (error: Error) => callback(error)
    socket.setTimeout(Duration.toMillis(within), tooLate)
    socket.once("error", failed)
    socket.once("connect", () => {
      socket.off("timeout", tooLate)
      socket.off("error", failed)
      callback(null, { connection: socket })
    })
  }
