import type { RecipientReply } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { reasonOfReply } from "@switchboard/domain/messages/delivery/FailureReason"
import { byLabels } from "@switchboard/services/ByLabels"
import { type OutgoingMail, RelayFaults } from "@switchboard/services/messages/delivery/MailTransport"
import {
  type ProviderReply,
  ProviderUnavailable,
  SendDeferred,
  type SendLease,
  SendRefused,
  type SendWithdrawn
} from "@switchboard/services/messages/delivery/Provider"
import { inSlices } from "@switchboard/services/NextTurn"
import { Effect, Metric, MetricBoundaries, Runtime } from "effect"
import { mailData, type SmtpEnvelope } from "../smtp/client/SmtpMail.js"
import { SmtpPool } from "../smtp/client/SmtpPool.js"
import {
  envelopeOverlap,
  oneServer,
  type PoolEvents,
  type SmtpLease,
  type SmtpPoolOptions
} from "../smtp/client/SmtpPoolOptions.js"
import { relayName, type SmtpRelay } from "../smtp/client/SmtpRelay.js"
import {
  failureResponse,
  mayBeAccepted,
  type SmtpFailure,
  type SmtpReply,
  type SmtpStage
} from "../smtp/client/SmtpReply.js"
import { outageCodes, type SmtpMail, type SmtpReceipt } from "../smtp/client/SmtpSession.js"

const stalledGauges = byLabels(
  Metric.gauge("switchboard_smtp_stalled", {
    description:
      "SMTP connections that have waited for a reply for more than 5 seconds, by use and relay (mx: any mail server)"
  })
)

/** In seconds. */
const boundaries = MetricBoundaries.fromIterable([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30])

const stepSeconds = byLabels(
  Metric.histogram(
    "switchboard_smtp_step_duration_seconds",
    boundaries,
    "Seconds until the server replied, by step of the SMTP session and relay (mx: any mail server)"
  )
)

/** An overlap whose end is logged and stored. */
const recordedOverlap = (relay: SmtpRelay) =>
  Effect.gen(function* () {
    const { record } = yield* RelayFaults
    const runtime = yield* Effect.runtime()
    const name = relayName(relay)
    const report = Effect.logWarning(
      "The relay replies to the next envelope before it replies to a mail: envelopes are sent one after the other"
    ).pipe(Effect.annotateLogs("relay", name), Effect.zipRight(record(name)), Effect.ignoreLogged)
    return envelopeOverlap(() => Runtime.runFork(runtime)(report))
  })

/** The events of connections as metrics: the number of stalled ones, and the waits for replies. */
export const measuredEvents = (use: "messages" | "forwards", relay: string): PoolEvents => {
  const gauge = stalledGauges({ use, relay })
  let stalled = 0
  gauge.unsafeUpdate(stalled, [])
  return {
    stalled: (isStalled) => {
      stalled += isStalled ? 1 : -1
      gauge.unsafeUpdate(stalled, [])
    },
    replied: (stage, milliseconds) =>
      stepSeconds({ step: stage.toLowerCase(), relay }).unsafeUpdate(milliseconds / 1_000, [])
  }
}

/** A connection pool that closes with the scope. */
export const smtpPool = (options: SmtpPoolOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => new SmtpPool(options)),
    (pool) => Effect.sync(() => pool.close())
  )

/** A pool of connections to a relay, which is measured. */
export const relayPool = (relay: SmtpRelay, connections: number, use: "messages" | "forwards") =>
  Effect.flatMap(recordedOverlap(relay), (overlap) =>
    smtpPool({
      nextServer: oneServer(relay),
      connections: () => connections,
      events: measuredEvents(use, relayName(relay)),
      overlap
    })
  )

/** Patterns of the queue id in the reply to the final dot, which no standard defines. */
const patterns = [
  // Postfix, Haraka
  /\bqueued as <?([\w.+=-]+)/i,
  // Exim
  /\bid=<?([\w.@-]+)/i,
  // Exchange, Microsoft 365
  /^250 2\.6\.0 <([^<>\s]+)>/,
  // Sendmail
  /^250 2\.0\.0 (\w+) Message accepted for delivery/,
  // Google
  /\s([\w.-]+) - gsmtp$/,
  // Amazon SES
  /^250 Ok ([\da-f-]{16,})$/i
]

/** The server's queue id of an accepted mail; null if its reply has none. */
export const queuedAs = (reply: string): string | null => {
  for (const pattern of patterns) {
    const queueId = pattern.exec(reply)?.[1]
    if (queueId !== undefined) return queueId
  }
  return null
}

/** The stages at which a failure concerns one mail. An earlier failure is an outage of the relay. */
const transactionStages: ReadonlySet<SmtpStage> = new Set(["MAIL", "RCPT", "DATA", "mail data", "dot"])

/** Whether the transaction has too many recipients, which is not about this one (RFC 5321 section 4.5.3.1.10). */
const exceedsLimit = ({ code, text }: SmtpReply): boolean =>
  code >= 400 && reasonOfReply({ smtpCode: code, response: text }) === "too_many_recipients"

const recipientReply = (recipient: string, reply: SmtpReply, accepted: SmtpReply | null): RecipientReply => {
  const { code, text } = reply
  return code < 400
    ? { recipient, verdict: "accepted", smtpCode: accepted?.code ?? code, response: accepted?.text ?? text }
    : { recipient, verdict: code < 500 || exceedsLimit(reply) ? "deferred" : "refused", smtpCode: code, response: text }
}

const mailReceipt = ({ rcptTo }: SmtpEnvelope, { accepted, recipients }: SmtpReceipt): ProviderReply => ({
  replies: recipients.flatMap((reply, index) =>
    accepted !== null && exceedsLimit(reply) ? [] : [recipientReply(rcptTo[index] ?? "", reply, accepted)]
  ),
  response: accepted?.text ?? null,
  providerMessageId: accepted === null ? null : queuedAs(accepted.text)
})

const mailFailure = (failure: SmtpFailure): SendRefused | SendDeferred | ProviderUnavailable => {
  const { cause, reply, stage } = failure
  const response = failureResponse(failure)
  const smtpCode = reply?.code ?? null
  if (!transactionStages.has(stage) || (smtpCode !== null && outageCodes.has(smtpCode))) {
    return new ProviderUnavailable({ response })
  }
  return cause === "unsendable" || (cause === "reply" && smtpCode !== null && smtpCode >= 500)
    ? new SendRefused({ smtpCode, response })
    : new SendDeferred({ smtpCode, response, isSilent: cause === "timeout", mayBeTaken: mayBeAccepted(failure) })
}

/** The SMTP envelope of a mail, with its delivery status notification options (RFC 3461). */
export const smtpEnvelope = ({ envelopeId, mailFrom, needsSmtpUtf8, notify, rcptTo }: OutgoingMail): SmtpEnvelope => ({
  mailFrom,
  rcptTo,
  needsSmtpUtf8,
  dsn: { envelopeId, notify }
})

type SendFailure = SendRefused | SendDeferred | ProviderUnavailable

type Send<E> = Effect.Effect<ProviderReply, E>

/** Passes a mail to the pool. Its cancellation closes the connection if the transaction has begun. */
const request = (
  pool: SmtpPool,
  { data, envelope }: SmtpMail,
  resume: (result: Send<SendFailure>) => void,
  lease?: SmtpLease
) =>
  Effect.sync(
    pool.send({ envelope, data, ...(lease === undefined ? {} : { lease }) }, (result) =>
      resume("stage" in result ? mailFailure(result) : Effect.succeed(mailReceipt(envelope, result)))
    )
  )

/** Sends a mail. Interruption removes it from the queue, or closes its connection. */
export const sendOverSmtp = (pool: SmtpPool, envelope: SmtpEnvelope, octets: Uint8Array): Send<SendFailure> =>
  Effect.flatMap(inSlices(mailData(octets)), (data) =>
    Effect.async((resume) => request(pool, { envelope, data }, resume))
  )

/**
 * Sends a mail as `sendOverSmtp` does, if its lease holds when it has a connection. `onLost` is the failure of a mail that
 * did not get one.
 */
export const sendLeased = <E = SendWithdrawn>(
  pool: SmtpPool,
  envelope: SmtpEnvelope,
  octets: Uint8Array,
  { isHeld, organizationId }: SendLease,
  onLost: () => E
): Send<SendFailure | E> =>
  Effect.flatMap(inSlices(mailData(octets)), (data) =>
    Effect.async((resume) =>
      request(pool, { envelope, data }, resume, {
        owner: organizationId,
        isHeld,
        lost: () => resume(Effect.fail(onLost()))
      })
    )
  )
