import { Redacted } from "effect"
import type { SmtpConnection } from "./SmtpConnection.js"
import { dataEnd, type MailData, mailCommand, rcptCommand, type SmtpEnvelope } from "./SmtpMail.js"
import type { SmtpRelay } from "./SmtpRelay.js"
import {
  invalidReply,
  isOutOfStep,
  noExtensions,
  outOfStep,
  refusedReply,
  type SmtpExtensions,
  type SmtpFailure,
  type SmtpReply,
  type SmtpStage,
  smtpExtensions
} from "./SmtpReply.js"

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
  const { credentials, host, hostname, implicitTls, timeouts, tls } = connection.relay

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
      return tls === "opportunistic" ? done(null, extensions) : fail(refusedReply("STARTTLS", reply))
    })
    connection.write("STARTTLS\r\n")
  }

  const afterHello = (extensions: SmtpExtensions): void => {
    if (!connection.isSecure && tls !== "none" && extensions.has("STARTTLS")) startTls(extensions)
    else if (connection.isSecure || tls === "opportunistic" || tls === "none") logIn(extensions)
    else {
      fail({
        stage: "STARTTLS",
        cause: "unsendable",
        reply: null,
        message: `${host} does not offer STARTTLS, and mail to it is only sent over TLS`
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

/** The result of a transaction in which the server replied to each recipient. */
export interface SmtpReceipt {
  /** The replies to RCPT, in the order of the envelope. */
  readonly recipients: ReadonlyArray<SmtpReply>
  /** The reply to the final dot, null if no recipient was accepted. */
  readonly accepted: SmtpReply | null
}

/** Replies that concern every mail: the server is closing (421) or requires AUTH or TLS (530; RFC 4954, RFC 3207). */
export const outageCodes: ReadonlySet<number> = new Set([421, 530])

const isFailure = ({ code }: SmtpReply) => code >= 400
const isAccepted = ({ code }: SmtpReply) => code >= 200 && code < 300

/** Whether a reply is to an envelope: its enhanced code is about an address (RFC 3463 section 3.2), or it is to DATA. */
const isAboutEnvelope = ({ code, text }: SmtpReply) => code === 354 || /^\d{3}[ -][245]\.1\.\d/.test(text)

/** A mail with its envelope. */
export interface SmtpMail {
  readonly envelope: SmtpEnvelope
  readonly data: MailData
}

/** The commands that precede the data of a mail. */
export const envelopeCommands = (
  { data, envelope }: SmtpMail,
  extensions: SmtpExtensions
): readonly [string, ...Array<string>] => [
  mailCommand(envelope, data, extensions),
  ...envelope.rcptTo.map((recipient) => rcptCommand(envelope, recipient, extensions)),
  "DATA\r\n"
]

/** The rest of the session around a transaction. */
interface TransactionContext {
  readonly connection: SmtpConnection
  readonly extensions: SmtpExtensions
  /** Whether the commands of the envelope were written with the end of the previous mail. */
  readonly isEnvelopeSent: boolean
  /**
   * The commands to write with the end of this mail: the envelope of the next one (RFC 2920 section 3.1). Requires
   * PIPELINING. Empty if there is none.
   */
  readonly nextEnvelope: () => string
  /** Called if a reply to the next envelope arrives before the reply to this mail. */
  readonly outOfOrder: () => void
  /**
   * Called once, unless the connection fails first. `isClean` is false if the transaction is still open and RSET must
   * end it.
   */
  readonly done: (result: SmtpReceipt | SmtpFailure, isClean: boolean) => void
}

/**
 * Sends one mail. The returned function converts a connection failure to the result of the mail: an earlier refusal of
 * the mail or of all its recipients takes precedence.
 */
export const sendTransaction = (
  mail: SmtpMail,
  { connection, done, extensions, isEnvelopeSent, nextEnvelope, outOfOrder }: TransactionContext
): ((failure: SmtpFailure) => SmtpReceipt | SmtpFailure) => {
  const { data, envelope } = mail
  const { timeouts } = connection.relay
  const isPipelining = extensions.has("PIPELINING")
  const recipients: Array<SmtpReply> = []
  let refusal: SmtpFailure | null = null
  let nextCommands = 0
  const unordered: Array<SmtpReply> = []

  const commands = isEnvelopeSent ? [] : envelopeCommands(mail, extensions)
  let sent = 0
  const sendNext = () => {
    if (isEnvelopeSent) return
    if (!isPipelining) connection.write(commands[sent] ?? "")
    else if (sent === 0) connection.write(commands.join(""))
    sent++
  }

  /** Whether a mail that is in step can't have 503 at this stage: neither MAIL nor all recipients were refused. */
  const needsReply = (stage: SmtpStage): boolean =>
    refusal === null && stage !== "dot" && (stage !== "DATA" || recipients.some(isAccepted))

  /** Ends the connection and returns false for an outage code or an unexpected positive reply. */
  const isUsable = (stage: SmtpStage, reply: SmtpReply, isExpected: boolean): boolean => {
    if (outageCodes.has(reply.code)) connection.fail(refusedReply(stage, reply))
    else if (isOutOfStep(reply) && needsReply(stage)) connection.fail(outOfStep(stage, reply))
    else if (isExpected || isFailure(reply)) return true
    else connection.fail(invalidReply(stage))
    return false
  }

  /** The reply to the data among those to the next envelope; null until it is clear. */
  const findDotReply = (reply: SmtpReply): SmtpReply | null => {
    if (unordered.length === 0) outOfOrder()
    unordered.push(reply)
    if (isAccepted(reply) && !isAboutEnvelope(reply)) return reply
    if (unordered.length <= nextCommands) return null
    return unordered.findLast((one) => !isAboutEnvelope(one) && !isOutOfStep(one)) ?? reply
  }

  const onDot = (received: SmtpReply): void => {
    const isUnordered = nextCommands > 0 && isAccepted(received) && isAboutEnvelope(received)
    const reply = isUnordered || unordered.length > 0 ? findDotReply(received) : received
    if (reply === null || !isUsable("dot", reply, isAccepted(reply))) return
    done(isFailure(reply) ? refusedReply("dot", reply) : { recipients, accepted: reply }, true)
  }

  const endCommands = (): string => {
    const commands = isPipelining ? nextEnvelope() : ""
    nextCommands = commands.split("\r\n").length - 1
    return commands
  }

  const onData = (reply: SmtpReply): void => {
    if (!isUsable("DATA", reply, reply.code === 354)) return
    const hasRecipient = refusal === null && recipients.some(isAccepted)
    const result = refusal ?? { recipients, accepted: null }
    if (isFailure(reply)) done(hasRecipient ? refusedReply("DATA", reply) : result, false)
    else if (hasRecipient) connection.writeMail(data.octets, () => dataEnd(data, endCommands()), onDot)
    else if (isEnvelopeSent) {
      // The refusal may be the late reply to the data of the mail before.
      connection.fail(invalidReply("DATA"))
    } else {
      // The server accepted DATA without a valid recipient: send an empty mail (RFC 2920 section 3.1).
      connection.expect("dot", timeouts.data, () => done(result, true))
      connection.write(".\r\n")
    }
  }

  const toData = () => {
    if (!isPipelining && !recipients.some(isAccepted)) return done({ recipients, accepted: null }, false)
    connection.expect("DATA", timeouts.data, onData)
    sendNext()
  }

  const onRcpt = (reply: SmtpReply): void => {
    if (!isUsable("RCPT", reply, isAccepted(reply))) return
    recipients.push(reply)
    if (recipients.length === envelope.rcptTo.length) toData()
    else sendNext()
  }

  const onMail = (reply: SmtpReply): void => {
    if (!isUsable("MAIL", reply, isAccepted(reply))) return
    if (isFailure(reply)) refusal = refusedReply("MAIL", reply)
    if (refusal !== null && !isPipelining) done(refusal, true)
    else {
      connection.expect("RCPT", timeouts.command, onRcpt)
      sendNext()
    }
  }

  connection.expect("MAIL", timeouts.command, onMail)
  sendNext()
  return (failure) => {
    const isRefusedByAll = recipients.length === envelope.rcptTo.length && !recipients.some(isAccepted)
    return refusal ?? (isRefusedByAll ? { recipients, accepted: null } : failure)
  }
}
