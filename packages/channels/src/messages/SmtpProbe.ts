import { RelayUnavailable } from "@switchboard/services/messages/MailTransport"
import { Effect } from "effect"
import SMTPConnection from "nodemailer/lib/smtp-connection"

type ConnectionOptions = ConstructorParameters<typeof SMTPConnection>[0]

const unavailable = (error: Error) => new RelayUnavailable({ response: error.message })

/** The keywords of an EHLO reply (RFC 5321 section 4.1.1.1), without the greeting in its first line. */
const keywords = (reply: string): ReadonlyArray<string> =>
  reply
    .split(/\r?\n/)
    .slice(1)
    .map((line) =>
      line
        .replace(/^250[ -]/, "")
        .trim()
        .toUpperCase()
    )
    .filter((line) => line !== "")

/** Greets the relay as a delivery would, and logs in if there is a password. */
export const probeRelay = (
  options: ConnectionOptions & { readonly auth?: { readonly user: string; readonly pass: string } }
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* Effect.acquireRelease(
        Effect.sync(() => new SMTPConnection(options)),
        (open) => Effect.sync(() => open.close())
      )
      yield* Effect.async<void, RelayUnavailable>((resume) => {
        connection.once("error", (error: Error) => resume(Effect.fail(unavailable(error))))
        connection.connect(() => resume(Effect.void))
      })
      const extensions = keywords(connection.lastServerResponse || "")
      const { auth } = options
      if (auth !== undefined) {
        yield* Effect.async<void, RelayUnavailable>((resume) => {
          connection.login(auth, (error: Error | null) => resume(error ? Effect.fail(unavailable(error)) : Effect.void))
        })
      }
      return { extensions }
    })
  ).pipe(
    Effect.timeoutFail({
      duration: "15 seconds",
      onTimeout: () => new RelayUnavailable({ response: "No answer within 15 seconds" })
    })
  )
