import { Redacted } from "effect"
import type { SmtpConnection } from "./SmtpConnection.js"
import { refusedReply, type SmtpFailure } from "./SmtpFailure.js"
import type { SmtpRelay } from "./SmtpRelay.js"

const base64 = (text: string) => Buffer.from(text).toString("base64")

/** The lines of a SASL mechanism: the AUTH command, then one response per 334 challenge. */
const mechanisms: Readonly<Record<string, (user: string, password: string) => ReadonlyArray<string>>> = {
  PLAIN: (user, password) => [`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`],
  LOGIN: (user, password) => ["AUTH LOGIN", base64(user), base64(password)]
}

/** Authenticates (RFC 4954) with the first mechanism that the server offers, PLAIN before LOGIN. */
export const authenticate = (
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
