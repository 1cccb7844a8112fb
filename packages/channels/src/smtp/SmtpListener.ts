import { domainToAscii } from "@switchboard/domain/email/EmailAddress"
import { Effect, Option } from "effect"
import type { SMTPServer } from "smtp-server"

/** The address with its domain in lower-case A-labels (RFC 5890). An invalid domain stays unchanged. */
export const asciiAddress = (address: string): string => {
  const at = address.lastIndexOf("@") + 1
  return address.slice(0, at) + Option.getOrElse(domainToAscii(address.slice(at)), () => address.slice(at))
}

/** A negative SMTP reply for smtp-server. `message` begins with an enhanced status code (RFC 3463). */
export const smtpRefusal = (responseCode: number, message: string): Error & { readonly responseCode: number } =>
  Object.assign(new Error(message), { responseCode })

/** In octets: the SIZE that the servers declare (RFC 1870). */
export const maxMailSize = 35 * 1024 * 1024

/** The reply while a request can't be stored or checked. */
export const tryAgain = smtpRefusal(451, "4.3.0 Please try again later")

/** The recipients of one transaction; more get 452 (RFC 5321 section 4.5.3.1.8). */
export const maxRecipients = 100

/** In milliseconds: open sessions may finish when a server stops. */
export const closeTimeout = 2_000

/** Makes a server listen until the scope closes. Returns its port, which the system selects for port 0. */
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
    /** Makes the error of a server that can't listen. */
    readonly failed: (message: string) => E
    /** Called for errors of single sessions, such as a lost connection. */
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
