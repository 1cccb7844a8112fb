import type { Block } from "@switchboard/domain/email/blocks/Block"
import { DateTime, Duration, Effect, Option } from "effect"
import { HeldLease } from "../../queues/HeldLease.js"
import { Signatures } from "../../Signatures.js"
import { MailRouting } from "../domains/MailRouting.js"
import { type SigningKey, SigningKeys } from "../domains/SigningKeys.js"
import { MailAuthenticator } from "../receiving/MailAuthenticator.js"
import { ForwardingQueue, type ForwardOutcome, type KeptMail, type TakenForwarding } from "./ForwardingQueue.js"
import { forwardedHeader, forwardMark } from "./ForwardMark.js"
import { forwardPath } from "./ForwardPath.js"
import { MailSealer } from "./MailSealer.js"
import { RawRelay } from "./RawRelay.js"

const triedFor = Duration.hours(12)
const soonest = Duration.seconds(30)
const latest = Duration.hours(1)

/** How long a mail waits when it can't be read from the store. */
const patience = Duration.seconds(5)

/** What a client called itself, as far as it may stand in a header (RFC 5321 section 4.4). */
const hostText = (helo: string): string => helo.replace(/[^\w.:[\]-]/g, "").slice(0, 255) || "unknown"

/** Another worker may have sent it by now. */
const unsent: ForwardOutcome = { _tag: "Later", wait: Duration.zero }

const dateText = (at: DateTime.Utc): string => DateTime.toDateUtc(at).toUTCString().replace("GMT", "+0000")

/** The mail after its seal and its trace fields. */
const traced = (
  seal: string,
  mark: string,
  { mailId }: TakenForwarding,
  mail: KeptMail,
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

/** Sends on what is to go on. */
export class Forwards extends Effect.Service<Forwards>()("services/Forwards", {
  effect: Effect.gen(function* () {
    const queue = yield* ForwardingQueue
    const relay = yield* RawRelay
    const signatures = yield* Signatures
    const sealer = yield* MailSealer
    const authenticator = yield* MailAuthenticator
    const { signingKeyOf } = yield* SigningKeys
    const { mailHostname } = yield* MailRouting

    /** The longer it takes, the less often it is tried. */
    const later = ({ createdAt }: TakenForwarding, response: string) =>
      Effect.map(DateTime.now, (now): ForwardOutcome => {
        const age = DateTime.distanceDuration(createdAt, now)
        return Duration.greaterThan(age, triedFor)
          ? { _tag: "Failed", error: `It was tried for ${Duration.toHours(triedFor)} hours: ${response}` }
          : { _tag: "Later", wait: Duration.clamp(age, { minimum: soonest, maximum: latest }) }
      })

    const failed = (error: string) => Effect.succeed<ForwardOutcome>({ _tag: "Failed", error })

    /** The mail sealed or rewritten by the domain that forwards it; unchanged if the domain has no key that can sign. */
    const authenticated = Effect.fnUntraced(function* (
      { createdAt, organizationId, recipients, rewriteFrom, viaDomain: domain }: TakenForwarding,
      mail: KeptMail
    ) {
      const key = yield* signingKeyOf(organizationId, domain, createdAt).pipe(
        Effect.catchTag("SecretUnreadable", () => Effect.succeed(Option.none<SigningKey>()))
      )
      if (Option.isNone(key)) return { seal: "", raw: mail.raw }
      const { privateKey, selector } = key.value
      const identity = { domain, selector, privateKey }
      // A policy that can't be looked up counts as enforced: only rewritten mail is sure to pass.
      const isRewritten = rewriteFrom && (yield* authenticator.senderPolicy(mail)) !== "none"
      if (!isRewritten) return { seal: yield* sealer.seal(mail, identity), raw: mail.raw }
      // The address of a reply to a message takes no other mail.
      const address = recipients.find((recipient) => recipient.endsWith(`@${domain}`)) ?? `postmaster@${domain}`
      return { seal: "", raw: yield* sealer.rewrite(mail.raw, address, identity) }
    })

    const send = Effect.fnUntraced(function* (taken: TakenForwarding, mail: KeptMail) {
      const { raw, seal } = yield* authenticated(taken, mail)
      const mark = forwardMark(signatures, taken.id, taken.by)
      return yield* relay
        .send({
          // A notification stays one: its failure is reported to no address (RFC 5321 section 4.5.5).
          mailFrom: mail.mailFrom === "" ? "" : forwardPath(signatures, taken.id, taken.viaDomain),
          rcptTo: taken.forwardTo,
          raw: traced(seal, mark, taken, { ...mail, raw }, mailHostname)
        })
        .pipe(
          Effect.flatMap(({ replies: [reply] }) => {
            if (reply?.verdict === "accepted") return Effect.succeed<ForwardOutcome>({ _tag: "Forwarded" })
            const response = reply?.response ?? "No answer"
            return reply?.verdict === "refused" ? failed(response) : later(taken, response)
          }),
          Effect.catchTags({
            MailRefused: ({ response }) => failed(response),
            MailDeferred: ({ response }) => later(taken, response),
            RelayUnavailable: ({ response }) => later(taken, response)
          })
        )
    })

    const passOn = (taken: TakenForwarding) =>
      queue.mail(taken.organizationId, taken.mailId).pipe(
        Effect.flatMap(
          Option.match({
            onNone: () => failed("The mail is not kept any more"),
            onSome: (mail) =>
              Effect.flatMap(Effect.flatten(HeldLease), (isHeld) =>
                isHeld ? send(taken, mail) : Effect.succeed(unsent)
              )
          })
        ),
        Effect.catchTag("ServiceUnavailableError", () =>
          Effect.succeed<ForwardOutcome>({ _tag: "Later", wait: patience })
        )
      )

    /** Sends a mail on to one address. Never fails: what goes wrong is an outcome. */
    const attempt = (taken: TakenForwarding): Effect.Effect<ForwardOutcome> =>
      taken.block === null ? passOn(taken) : Effect.succeed(blocked(taken.block))

    return { attempt } as const
  })
}) {}
