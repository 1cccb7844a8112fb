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
  /** Mails of others that name the address and nobody has read, or that go on for too long to be waited for. */
  readonly onTheWay: number
}

/** What was withdrawn, and how much is on the way all the same. */
interface Way {
  readonly mails: number
  readonly forwardings: number
  readonly onTheWay: number
}

/** How often it is looked whether what is on the way has arrived: for five seconds. */
const mostLooks = 25
const pause = Duration.millis(200)

/**
 * What a person wrote and nobody has read is withdrawn, and nothing more goes on to them. What others wrote becomes a
 * message first: in that the address can be written over, and in a mail as it came it can't, since it is signed.
 */
const clearTheWay = (erasure: Erasure, looks = mostLooks): Effect.Effect<Way, ServiceUnavailableError, ErasureRepo> =>
  Effect.gen(function* () {
    const repo = yield* ErasureRepo
    const mails = yield* repo.withdrawMails(erasure)
    const forwardings = yield* repo.stopForwarding(erasure)
    const onTheWay = yield* repo.onTheWay(erasure)
    if (onTheWay === 0 || looks === 0) return { mails, forwardings, onTheWay }
    const later = yield* Effect.delay(clearTheWay(erasure, looks - 1), pause)
    return { mails: mails + later.mails, forwardings: forwardings + later.forwardings, onTheWay: later.onTheWay }
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
  const withdrawn = yield* clearTheWay(erasure)
  const [shared, theirs] = yield* Effect.map(repo.messages(erasure), (all) => [
    all.filter(({ isTheirs }) => !isTheirs),
    all.filter(({ isTheirs }) => isTheirs)
  ])
  yield* Effect.forEach(theirs ?? [], ({ id, organizationId }) => messages.remove(organizationId, id))
  yield* Effect.forEach(shared ?? [], (message) => repo.loseRecipient(message, erasure.address))
  const drafts = yield* repo.eraseFromDrafts(erasure)
  const participants = yield* repo.eraseParticipants(erasure)
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
    onTheWay: withdrawn.onTheWay
  } satisfies Erased
})
