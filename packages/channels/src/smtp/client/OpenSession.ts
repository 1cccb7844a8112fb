import { authenticate } from "./SmtpAuth.js"
import type { SmtpConnection } from "./SmtpConnection.js"
import { noExtensions, type SmtpExtensions, smtpExtensions } from "./SmtpExtensions.js"
import { refusedReply, type SmtpFailure } from "./SmtpFailure.js"

const isPositive = ({ code }: { readonly code: number }) => code >= 200 && code < 300

/**
 * Brings a new connection to where mail may be sent: greeting, EHLO (else HELO), TLS, log-in. A connection that fails
 * by itself says so through its own events; `done` is given what the server refused.
 */
export const openSession = (
  connection: SmtpConnection,
  done: (failure: SmtpFailure | null, extensions: SmtpExtensions) => void
): void => {
  const { credentials, hostname, implicitTls, timeouts, tls } = connection.relay

  const fail = (failure: SmtpFailure) => done(failure, noExtensions)

  const logIn = (extensions: SmtpExtensions): void => {
    const offered = extensions.get("AUTH")
    if (credentials === null || offered === undefined) done(null, extensions)
    else authenticate(connection, credentials, offered, (failure) => done(failure, extensions))
  }

  const startTls = (extensions: SmtpExtensions): void => {
    connection.expect("STARTTLS", timeouts.command, (reply) => {
      if (reply.code === 220) return connection.upgrade(greet)
      // A refusal of what was offered may be another's doing: a password is not sent in clear after it.
      return tls === "require" ? fail(refusedReply("STARTTLS", reply)) : done(null, extensions)
    })
    connection.write("STARTTLS\r\n")
  }

  const introduced = (extensions: SmtpExtensions): void => {
    if (!connection.isSecure && extensions.has("STARTTLS")) startTls(extensions)
    else if (connection.isSecure || tls === "opportunistic") logIn(extensions)
    else {
      fail({
        stage: "STARTTLS",
        cause: "unsendable",
        reply: null,
        message: "The relay offers no TLS, which SMTP_TLS=require demands"
      })
    }
  }

  const hello = (verb: "EHLO" | "HELO"): void => {
    connection.expect("EHLO", timeouts.command, (reply) => {
      if (isPositive(reply)) return introduced(verb === "EHLO" ? smtpExtensions(reply.lines) : noExtensions)
      // RFC 5321 section 3.2: a server that does not understand EHLO.
      return verb === "EHLO" && reply.code >= 500 ? hello("HELO") : fail(refusedReply("EHLO", reply))
    })
    connection.write(`${verb} ${hostname}\r\n`)
  }
  const greet = (): void => hello("EHLO")

  const awaitGreeting = (): void =>
    connection.expect("greeting", timeouts.greeting, (reply) =>
      isPositive(reply) ? greet() : fail(refusedReply("greeting", reply))
    )

  connection.connected(() => (implicitTls ? connection.upgrade(awaitGreeting) : awaitGreeting()))
}
