import type { Block } from "@switchboard/domain/email/blocks/Block"
import { DateTime, Duration, Effect, Option } from "effect"
import { Signatures } from "../../SecretBox.js"
import { MailRouting } from "../domains/DomainRepo.js"
import { type SigningKey, SigningKeys } from "../domains/SigningKeys.js"
import { MailAuthenticator } from "../receiving/ReadMail.js"
import { ForwardingQueue, type ForwardOutcome, type StoredMail, type TakenForwarding } from "./ForwardingQueue.js"
import { forwardedHeader, forwardMark } from "./ForwardMark.js"
import { forwardPath } from "./ForwardPath.js"
import { MailSealer, RawRelay } from "./RawRelay.js"

const maxForwardingAge = Duration.hours(12)
const minRetryDelay = Duration.seconds(30)
const maxRetryDelay = Duration.hours(1)

/** The delay before the next attempt if the mail can't be read from the database. */
const outageDelay = Duration.seconds(5)

/** The client's HELO name, reduced to the characters that are valid in a header (RFC 5321 section 4.4). */
const hostText = (helo: string): string => helo.replace(/[^\w.:[\]-]/g, "").slice(0, 255) || "unknown"

/** The lease was lost: another worker may have sent the mail. */
const unsent: ForwardOutcome = { _tag: "Later", wait: Duration.zero }

const dateText = (at: DateTime.Utc): string => DateTime.toDateUtc(at).toUTCString().replace("GMT", "+0000")

/** Prepends the ARC seal and the trace fields. */
const traced = (
  seal: string,
  mark: string,
  { mailId }: TakenForwarding,
  mail: StoredMail,
  hostname: string
): Uint8Array => {
  const protocol = mail.tls ? "ESMTPS" : "ESMTP"
  const trace = [
    `${forwardedHeader}: ${mark}`,
    `Received: from ${hostText(mail.helo)} ([${mail.remoteAddress}])`,
    `\tby ${hostname} with ${protocol} id ${mailId};`,
    `\t${dateText(mail.receivedAt)}`
  ]
  return Buffer.concat([Buffer.from(`${seal}${trace.join("\r\n")}\r\n`), mail.raw])
}

const blocked = ({ id, reason }: Pick<Block, "id" | "reason">): ForwardOutcome => ({
  _tag: "Blocked",
  error: `The address is blocked (${reason})`,
  blockId: id
})

/** Sends mail on to the targets of forwarding rules and catch-alls. */
export class Forwards extends Effect.Service<Forwards>()("services/Forwards", {
  effect: Effect.gen(function* () {
    const queue = yield* ForwardingQueue
    const relay = yield* RawRelay
    const signatures = yield* Signatures
    const sealer = yield* MailSealer
    const authenticator = yield* MailAuthenticator
    const { signingKeyOf } = yield* SigningKeys
    const { mailHostname } = yield* MailRouting

    /** The delay grows with the age of the forwarding, which fails after 12 hours. */
    const later = ({ createdAt }: TakenForwarding, response: string) =>
      Effect.map(DateTime.now, (now): ForwardOutcome => {
        const age = DateTime.distanceDuration(createdAt, now)
        return Duration.greaterThan(age, maxForwardingAge)
          ? { _tag: "Failed", error: `It was retried for ${Duration.toHours(maxForwardingAge)} hours: ${response}` }
          : { _tag: "Later", wait: Duration.clamp(age, { minimum: minRetryDelay, maximum: maxRetryDelay }) }
      })

    const failed = (error: string) => Effect.succeed<ForwardOutcome>({ _tag: "Failed", error })

    /**
     * Seals the mail, or rewrites its From, with the key of the domain that forwards it. Unchanged if the domain has no
     * usable key.
     */
    const authenticated = Effect.fnUntraced(function* (
      { createdAt, organizationId, recipients, rewriteFrom, viaDomain: domain }: TakenForwarding,
      mail: StoredMail
    ) {
      const key = yield* signingKeyOf(organizationId, domain, createdAt).pipe(
        Effect.catchTag("SecretUnreadable", () => Effect.succeed(Option.none<SigningKey>()))
      )
      if (Option.isNone(key)) return { seal: "", raw: mail.raw }
      const { privateKey, selector } = key.value
      const identity = { domain, selector, privateKey }
      // A failed look-up counts as an enforced policy: only rewritten mail is certain to pass.
      const isRewritten = rewriteFrom && (yield* authenticator.senderPolicy(mail)) !== "none"
      if (!isRewritten) return { seal: yield* sealer.seal(mail, identity), raw: mail.raw }
      // A domain with only a reply address as recipient uses postmaster: a reply address accepts no other mail.
      const address = recipients.find((recipient) => recipient.endsWith(`@${domain}`)) ?? `postmaster@${domain}`
      return { seal: "", raw: yield* sealer.rewrite(mail.raw, address, identity) }
    })

    const send = Effect.fnUntraced(function* (taken: TakenForwarding, mail: StoredMail, isHeld: () => boolean) {
      const { raw, seal } = yield* authenticated(taken, mail)
      const mark = forwardMark(signatures, taken.id, taken.by)
      return yield* relay
        .send(
          {
            // A notification keeps the empty reverse-path (RFC 5321 section 4.5.5).
            mailFrom: mail.mailFrom === "" ? "" : forwardPath(signatures, taken.id, taken.viaDomain),
            rcptTo: taken.forwardTo,
            raw: traced(seal, mark, taken, { ...mail, raw }, mailHostname)
          },
          { organizationId: taken.organizationId, isHeld }
        )
        .pipe(
          Effect.flatMap(({ replies: [reply] }) => {
            if (reply?.verdict === "accepted") return Effect.succeed<ForwardOutcome>({ _tag: "Forwarded" })
            const response = reply?.response ?? "No answer"
            return reply?.verdict === "refused" ? failed(response) : later(taken, response)
          }),
          Effect.catchTags({
            SendRefused: ({ response }) => failed(response),
            SendDeferred: ({ response }) => later(taken, response),
            SendWithdrawn: () => Effect.succeed(unsent),
            SendPostponed: ({ until }) =>
              Effect.map(
                DateTime.now,
                (now): ForwardOutcome => ({ _tag: "Later", wait: DateTime.distanceDuration(now, until) })
              ),
            ProviderUnavailable: ({ response }) => later(taken, response)
          })
        )
    })

    const passOn = (taken: TakenForwarding, isHeld: () => boolean) =>
      queue.mail(taken.organizationId, taken.mailId).pipe(
        Effect.flatMap(
          Option.match({
            onNone: () => failed("The mail was deleted"),
            onSome: (mail) => send(taken, mail, isHeld)
          })
        ),
        Effect.catchTag("ServiceUnavailableError", () =>
          Effect.succeed<ForwardOutcome>({ _tag: "Later", wait: outageDelay })
        )
      )

    /** Attempts a forwarding. Never fails: an error is an outcome. The relay checks `isHeld` before the send. */
    const attempt = (taken: TakenForwarding, isHeld: () => boolean): Effect.Effect<ForwardOutcome> =>
      taken.block === null ? passOn(taken, isHeld) : Effect.succeed(blocked(taken.block))

    return { attempt } as const
  })
}) {}
