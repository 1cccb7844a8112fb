import type { MailRoute } from "@switchboard/services/messages/delivery/MailTransport"
import {
  ProviderUnavailable,
  SendDeferred,
  SendRefused,
  SendWithdrawn
} from "@switchboard/services/messages/delivery/Provider"
import { transportOver } from "@switchboard/services/testing/messages/Routes"
import { Effect } from "effect"

/** The record of a recipient, who belongs to one message. */
export interface Seen {
  tries: number
  /** Accepted mails, including those without a reply. */
  copies: number
  isRefused: boolean
}

/** The outcomes of a session with their shares during faults; the remaining sessions are accepted. */
const ends = [
  ["recipient deferred", 0.12],
  ["recipient refused", 0.06],
  ["deferred", 0.08],
  ["refused", 0.03],
  ["lost before the dot", 0.05],
  ["silent before the dot", 0.03],
  ["lost after the dot", 0.1],
  ["unavailable", 0.03]
] as const

type End = (typeof ends)[number][0] | "taken"

const endOf = (roll: number): End => {
  let left = roll
  for (const [end, share] of ends) {
    left -= share
    if (left < 0) return end
  }
  return "taken"
}

/** The durations of a session before and after its final dot, in milliseconds; some exceed a lease. */
const slowness = (roll: number) => (roll < 0.6 ? 0 : roll < 0.95 ? Math.floor(roll * 2_000) : 45_000)

/** The relay of a simulation: the outcome of each session depends only on the rolls. */
export class SimulatedRelay {
  private isDown = false
  private hasFaults = true
  private readonly seen = new Map<string, Seen>()

  constructor(
    private readonly roll: () => number,
    private readonly note: (what: string) => void
  ) {}

  of(recipient: string): Seen {
    const known = this.seen.get(recipient) ?? { tries: 0, copies: 0, isRefused: false }
    this.seen.set(recipient, known)
    return known
  }

  /** Sets whether the relay is available. */
  toggle(): void {
    this.isDown = !this.isDown
  }

  /** From now on accepts every mail without delay. */
  repair(): void {
    this.isDown = false
    this.hasFaults = false
  }

  /** The transport of a process; an ended process sends nothing. */
  transport(isAlive: () => boolean) {
    const session = (recipients: ReadonlyArray<string>, end: End) =>
      Effect.gen(this, function* () {
        const all = recipients.map((recipient) => this.of(recipient))
        const [first] = all
        for (const seen of all) seen.tries += 1
        yield* Effect.sleep(this.hasFaults ? slowness(this.roll()) : 0)
        if (!isAlive()) return yield* Effect.never
        if (end === "unavailable") return yield* new ProviderUnavailable({ response: "421 4.3.2 Not now" })
        if (end === "deferred") return yield* new SendDeferred({ smtpCode: 451, response: "451 4.3.0 Later" })
        if (end === "lost before the dot") return yield* new SendDeferred({ smtpCode: null, response: "lost" })
        if (end === "silent before the dot") {
          return yield* new SendDeferred({ smtpCode: null, response: "silent", isSilent: true })
        }
        if (end === "refused") {
          for (const seen of all) seen.isRefused = true
          return yield* new SendRefused({ smtpCode: 554, response: "554 5.7.1 No" })
        }
        const isPartial = end === "recipient deferred" || end === "recipient refused"
        if (first !== undefined && end === "recipient refused") first.isRefused = true
        const takers = isPartial ? all.slice(1) : all
        for (const seen of takers) seen.copies += 1
        yield* Effect.sleep(this.hasFaults ? slowness(this.roll()) : 0)
        if (end === "lost after the dot") {
          return yield* new SendDeferred({ smtpCode: null, response: "lost", mayBeTaken: true })
        }
        const verdicts = { "recipient deferred": "deferred", "recipient refused": "refused" } as const
        return {
          replies: recipients.map((recipient, place) =>
            isPartial && place === 0
              ? { recipient, verdict: verdicts[end], smtpCode: end === "recipient refused" ? 550 : 450, response: end }
              : { recipient, verdict: "accepted" as const, smtpCode: 250, response: "250 2.1.5 OK" }
          ),
          response: takers.length > 0 ? "250 2.0.0 Ok" : null,
          providerMessageId: null
        }
      })
    const send: MailRoute["send"] = ({ rcptTo }, { isHeld }) =>
      Effect.gen(this, function* () {
        if (!isAlive()) return yield* Effect.never
        if (!isHeld()) return yield* new SendWithdrawn()
        const end = this.isDown ? "unavailable" : this.hasFaults ? endOf(this.roll()) : "taken"
        this.note(`session ${rcptTo.join(",")} ${end}`)
        return yield* session(rcptTo, end)
      })
    return transportOver(send)
  }
}
