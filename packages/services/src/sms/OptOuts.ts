import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type CreateOptOut, OptOut, OptOutId, optOutWord } from "@switchboard/domain/sms/OptOut"
import type { PhoneNumber, SenderId } from "@switchboard/domain/sms/SmsNumber"
import { DateTime, Effect, Option } from "effect"
import { newId, newUuid } from "../NewId.js"
import { normalizedPhone } from "../participants/Participants.js"
import { NumberRepo } from "./NumberRepo.js"
import { OptOutRepo } from "./OptOutRepo.js"

/** A received text that may be a word. */
interface ReceivedWord {
  /** UUIDv7 of its arrival. */
  readonly id: string
  readonly number: SenderId
  readonly phone: PhoneNumber
  readonly text: string
}

/** The opt-outs of phones from the texts of a number. */
export class OptOuts extends Effect.Service<OptOuts>()("services/OptOuts", {
  effect: Effect.gen(function* () {
    const repo = yield* OptOutRepo
    const numbers = yield* NumberRepo

    const notFound = (id: OptOutId) => new ResourceNotFoundError({ resource: "opt-out", id })

    const newOptOut = (given: Pick<OptOut, "number" | "phone" | "source">) =>
      Effect.map(
        newId(OptOutId),
        ({ id, now }) => new OptOut({ id, ...given, createdAt: now }, { disableValidation: true })
      )

    const validate = Effect.fnUntraced(function* (organization: OrganizationId, { number, phone }: CreateOptOut) {
      const owner = yield* numbers.ownerOf(number, "sms")
      const fields = {
        ...(Option.contains(owner, organization) ? {} : { number: ["must be a number of the organization for sms"] }),
        ...(Option.isSome(normalizedPhone(phone))
          ? {}
          : { phone: ["must be a phone number with its country code, like +4930123456"] })
      }
      if (Object.keys(fields).length > 0) {
        return yield* new ValidationError({ message: "The request body is invalid", fields })
      }
    })

    /** Adds an opt-out from a number of the organization. Fails if the phone already opted out of the number. */
    const add = Effect.fn("OptOuts.add")(function* (organization: OrganizationId, request: CreateOptOut) {
      yield* validate(organization, request)
      const optOut = yield* newOptOut({ ...request, source: "api" })
      if (yield* repo.insert(organization, optOut)) return optOut
      return yield* new ConflictError({
        message: `${request.phone} already opted out of texts from ${request.number}`,
        resource: "opt-out"
      })
    })

    const get = Effect.fn("OptOuts.get")(function* (organization: OrganizationId, id: OptOutId) {
      return yield* Effect.mapError(yield* repo.find(organization, id), () => notFound(id))
    })

    const remove = Effect.fn("OptOuts.remove")(function* (organization: OrganizationId, id: OptOutId) {
      const removal = newUuid(DateTime.toEpochMillis(yield* DateTime.now))
      if (!(yield* repo.remove(organization, id, removal))) return yield* notFound(id)
    })

    /**
     * Stores or lifts the opt-out that a received text requests (`optOutWord`), in the order of arrival. Other texts,
     * and repeats, change nothing.
     */
    const apply = Effect.fn("OptOuts.apply")(function* (organization: OrganizationId, text: ReceivedWord) {
      const word = optOutWord(text.text)
      if (word === null) return
      const { number, phone } = text
      yield* repo.applyWord(organization, word, yield* newOptOut({ number, phone, source: "recipient" }), text.id)
    })

    return { add, get, list: repo.list, remove, apply } as const
  })
}) {}
