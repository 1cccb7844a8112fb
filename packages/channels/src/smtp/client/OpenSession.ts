import { Redacted } from "effect"
import type { SmtpConnection } from "./SmtpConnection.js"
import { noExtensions, type SmtpExtensions, smtpExtensions } from "./SmtpExtensions.js"
import { refusedReply, type SmtpFailure } from "./SmtpFailure.js"
import type { SmtpRelay } from "./SmtpRelay.js"

const base64 = (text: string) => Buffer.from(text).toString("base64")

/** The lines of a SASL mechanism: the AUTH command, then one response per 334 challenge. */
const mechanisms: Readonly<Record<string, (user: string, password: string) => ReadonlyArray<string>>> = {
  PLAIN: (user, password) => [`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`],
  LOGIN: (user, password) => ["AUTH LOGIN", base64(user), base64(password)]
}

/** Authenticates (RFC 4954) with the first mechanism that the server offers, PLAIN before LOGIN. */
const authenticate = (
  connection: SmtpConnection,
  { password, user }: NonNullable<SmtpRelay["credentials"]>,
  offered: string,
  done: (failure: SmtpFailure | null) => void
): void => {
  const names = offered.split(" ")
  const mechanism = Object.entries(mechanisms).find(([name]) => names.includes(name))?.[1]
  const lines = mechanism === undefined ? [] : [...mechanism(user, Redacted.value(password))]
  const next = (): void => connection.write(`${lines.shift()}\r\n`)
  if (lines.length === 0) {
    done({
      stage: "AUTH",
      cause: "unsendable",
      reply: null,
      message: `The relay offers only AUTH ${offered}; PLAIN or LOGIN is required`
    })
    return
  }
  connection.expect("AUTH", connection.relay.timeouts.command, (reply) => {
    if (reply.code === 334 && lines.length > 0) next()
    else done(reply.code === 235 ? null : refusedReply("AUTH", reply))
  })
  next()
}

const isPositive = ({ code }: { readonly code: number }) => code >= 200 && code < 300

/**
 * Opens an SMTP session on a new connection: greeting, EHLO (else HELO), STARTTLS, AUTH. `done` gets the refusal of the
 * server, or null and the extensions. A lost connection is reported through the events of the connection instead.
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
      // An attacker may have forged the refusal, so no password is sent without TLS.
      return tls === "require" ? fail(refusedReply("STARTTLS", reply)) : done(null, extensions)
    })
    connection.write("STARTTLS\r\n")
  }

  const afterHello = (extensions: SmtpExtensions): void => {
    if (!connection.isSecure && extensions.has("STARTTLS")) startTls(extensions)
    else if (connection.isSecure || tls === "opportunistic") logIn(extensions)
    else {
      fail({
        stage: "STARTTLS",
        cause: "unsendable",
        reply: null,
        message: "The relay does not offer STARTTLS, which SMTP_TLS=require demands"
      })
    }
  }

  const hello = (verb: "EHLO" | "HELO"): void => {
    connection.expect("EHLO", timeouts.command, (reply) => {
      if (isPositive(reply)) return afterHello(verb === "EHLO" ? smtpExtensions(reply.lines) : noExtensions)
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
