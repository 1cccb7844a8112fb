import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Data, Duration, Effect } from "effect"
import {
  addCounts,
  type Counted,
  type Erasure,
  ErasureRepo,
  type ErasureResult,
  isPhoneErasure,
  type ReportProgress
} from "./ErasureRepo.js"

/** The address is a sender, receiving address or number of an organization, and can't be erased while it is. */
export class AddressInUse extends Data.TaggedError("AddressInUse")<{ readonly message: string }> {}

/** The erased and the remaining records, by kind. */
export interface Erased extends ErasureResult {
  /** Mails with the address that are still queued for processing or forwarding. */
  readonly stillQueued: number
}

interface Withdrawn {
  readonly received: number
  readonly forwardings: number
}

/** The maximum wait for queued mails. Mails due later are not waited for. */
const arrivalTimeout = Duration.minutes(1)
const pollInterval = Duration.millis(200)
const maxPolls = Duration.toMillis(arrivalTimeout) / Duration.toMillis(pollInterval)

/**
 * Withdraws the person's queued mails and the forwardings to them, and waits until other people's mails with the
 * address are processed. A processed message can be edited; raw mail can't, since it is signed.
 */
const withdraw = (erasure: Erasure, polls = maxPolls): Effect.Effect<Withdrawn, ServiceUnavailableError, ErasureRepo> =>
  Effect.gen(function* () {
    const repo = yield* ErasureRepo
    const received = yield* repo.withdrawReceived(erasure)
    const forwardings = yield* repo.stopForwarding(erasure)
    if (polls === 0 || (yield* repo.stillQueued(erasure, arrivalTimeout)) === 0) return { received, forwardings }
    const later = yield* Effect.delay(withdraw(erasure, polls - 1), pollInterval)
    return { received: received + later.received, forwardings: forwardings + later.forwardings }
  })

/**
 * Erases a person by e-mail address or phone number. Messages only to or from the address are deleted, and withdrawn if they wait. Messages
 * with other recipients stay, without the address.
 */
export const erasePerson = Effect.fn("erasePerson")(function* (erasure: Erasure, report: ReportProgress) {
  const repo = yield* ErasureRepo
  const own = yield* repo.ownUses(erasure)
  if (own.length > 0) {
    return yield* new AddressInUse({
      message: `${erasure.address} belongs to an organization: first remove its ${own.map(({ what }) => what).join(" and ")}`
    })
  }
  const withdrawn = yield* withdraw(erasure)
  // Counted before `eraseAll`, which skips these mails.
  const stillQueued = yield* repo.stillQueued(erasure)
  const result = yield* repo.eraseAll(erasure, report)
  const queued: ReadonlyArray<Counted> = [
    { what: "mails to be forwarded", count: withdrawn.forwardings },
    { what: isPhoneErasure(erasure) ? "received texts and receipts" : "mails", count: withdrawn.received }
  ]
  return { ...result, erased: addCounts(result.erased, queued), stillQueued } satisfies Erased
})
