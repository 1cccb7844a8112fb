import { Effect } from "effect"
import type { SMTPServer } from "smtp-server"

/** RFC 1870: the largest mail that is taken. */
export const largestMail = 35 * 1024 * 1024

/** RFC 5321 section 4.5.3.1.8: more recipients than that come in another transaction. */
export const mostRecipients = 100

/** How long sessions may take to end when a server stops. */
export const closeTimeout = 2_000

/** Has a server listen for as long as the scope is open; the port, which may have been left to the system. */
export const smtpListener = <E>(
  server: SMTPServer,
  {
    failed,
    host,
    port,
    sessionFailed
  }: {
    readonly host: string
    readonly port: number
    /** Why it can't listen. */
    readonly failed: (message: string) => E
    /** A client that hangs up in the middle is its own affair. */
    readonly sessionFailed: (error: Error) => void
  }
) =>
  Effect.acquireRelease(
    Effect.async<void, E>((resume) => {
      const refused = ({ message }: Error) => resume(Effect.fail(failed(message)))
      server.once("error", refused)
      server.listen(port, host, () => {
        server.off("error", refused)
        server.on("error", sessionFailed)
        resume(Effect.void)
      })
    }),
    () => Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
  ).pipe(
    Effect.map(() => {
      const address = server.server.address()
      return typeof address === "object" && address !== null ? address.port : port
    })
  )
