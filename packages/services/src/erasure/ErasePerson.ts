import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Data, Duration, Effect } from "effect"
import { MessageRepo } from "../messages/MessageRepo.js"
import { type Counted, type Erasure, ErasureRepo } from "./ErasureRepo.js"

/** The address is an organization's own: to forget it would take their own mail from them. */
export class OwnAddress extends Data.TaggedError("OwnAddress")<{ readonly message: string }> {}

/** What was erased, and what stays, by kind. */
export interface Erased {
  readonly erased: ReadonlyArray<Counted>
  readonly left: ReadonlyArray<Counted>
  /** Mails that name the address and are still to be read or to go on. */
  readonly onTheWay: number
}

interface Withdrawn {
  readonly mails: number
  readonly forwardings: number
}

/** How long mails on their way are waited for. Those that are due later are not. */
const arrivalTimeout = Duration.minutes(1)
const pollInterval = Duration.millis(200)
const maxPolls = Duration.toMillis(arrivalTimeout) / Duration.toMillis(pollInterval)

/**
 * Withdraws what the person wrote and no worker has read, and forwards nothing more to them. Mails of others become
 * messages first: the address can be replaced in a message, and not in a mail as it came, which is signed.
 */
const withdraw = (erasure: Erasure, polls = maxPolls): Effect.Effect<Withdrawn, ServiceUnavailableError, ErasureRepo> =>
  Effect.gen(function* () {
    const repo = yield* ErasureRepo
    const mails = yield* repo.withdrawMails(erasure)
    const forwardings = yield* repo.stopForwarding(erasure)
    if (polls === 0 || (yield* repo.onTheWay(erasure, arrivalTimeout)) === 0) return { mails, forwardings }
    const later = yield* Effect.delay(withdraw(erasure, polls - 1), pollInterval)
    return { mails: mails + later.mails, forwardings: forwardings + later.forwardings }
  })

/**
 * Forgets a person, by address. Messages to or from that address alone are erased like any whose record is deleted:
 * what waits is withdrawn. What others have too goes on for them, without the address.
 */
export const erasePerson = Effect.fn("erasePerson")(function* (erasure: Erasure) {
  const repo = yield* ErasureRepo
  const messages = yield* MessageRepo
  const own = yield* repo.ownUses(erasure)
  if (own.length > 0) {
    return yield* new OwnAddress({
      message: `${erasure.address} belongs to an organization: first remove its ${own.map(({ what }) => what).join(" and ")}`
    })
  }
  const withdrawn = yield* withdraw(erasure)
  const [shared, theirs] = yield* Effect.map(repo.messages(erasure), (all) => [
    all.filter(({ isTheirs }) => !isTheirs),
    all.filter(({ isTheirs }) => isTheirs)
  ])
  yield* Effect.forEach(theirs ?? [], ({ id, organizationId }) => messages.remove(organizationId, id))
  yield* Effect.forEach(shared ?? [], (message) => repo.loseRecipient(message, erasure.address))
  const drafts = yield* repo.eraseFromDrafts(erasure)
  const participants = yield* repo.eraseParticipants(erasure)
  // Counted before: `eraseMails` leaves these out, also one that came in since the withdrawal.
  const onTheWay = yield* repo.onTheWay(erasure)
  const mails = yield* repo.eraseMails(erasure)
  const mentions = yield* repo.eraseMentions(erasure)
  const erased: ReadonlyArray<Counted> = [
    { what: "messages", count: theirs?.length ?? 0 },
    { what: "recipients of messages that others have too", count: shared?.length ?? 0 },
    { what: "recipients of drafts", count: drafts },
    { what: "mails to be forwarded", count: withdrawn.forwardings },
    { what: "participants", count: participants },
    { what: "mails", count: mails + withdrawn.mails },
    ...mentions.map(({ count, what }) => ({ what: `mentions in ${what}`, count }))
  ]
  return {
    erased: erased.filter(({ count }) => count > 0),
    left: yield* repo.left(erasure),
    onTheWay
  } satisfies Erased
})
