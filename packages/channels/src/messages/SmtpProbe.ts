import { RelayUnavailable } from "@switchboard/services/messages/MailTransport"
import { Effect } from "effect"
import SMTPConnection from "nodemailer/lib/smtp-connection"

type ConnectionOptions = ConstructorParameters<typeof SMTPConnection>[0]

/** The keywords of an EHLO reply (RFC 5321 section 4.1.1.1), without the greeting in its first line. */
const keywords = (reply: string): ReadonlyArray<string> =>
  reply
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.replace(/^250[ -]/, "").trim())
    .map((line) => line.toUpperCase())
    .filter((line) => line !== "")

/** Greets the relay as a delivery would, and logs in if there is a password and the relay takes one. */
export const probeRelay = (
  options: ConnectionOptions & { readonly auth?: { readonly user: string; readonly pass: string } }
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new SMTPConnection(options)),
    (connection) =>
      Effect.async<{ readonly extensions: ReadonlyArray<string> }, RelayUnavailable>((resume) => {
        const failed = (error: Error) => resume(new RelayUnavailable({ response: error.message }))
        connection.on("error", failed)
        connection.connect((closed) => {
          if (closed !== undefined) return failed(closed)
          const found = { extensions: keywords(connection.lastServerResponse || "") }
          if (options.auth === undefined || !connection.allowsAuth) return resume(Effect.succeed(found))
          connection.login(options.auth, (refused) => (refused ? failed(refused) : resume(Effect.succeed(found))))
        })
      }),
    (connection) => Effect.sync(() => connection.close())
  ).pipe(
    Effect.timeoutFail({
      duration: "15 seconds",
      onTimeout: () => new RelayUnavailable({ response: "No answer within 15 seconds" })
    })
  )
