import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type CreateOptOut, OptOut, OptOutId, type OptOutWord, optOutWord } from "@switchboard/domain/sms/OptOut"
import type { PhoneNumber, SenderId } from "@switchboard/domain/sms/SmsNumber"
import { Effect, Option } from "effect"
import { newId } from "../NewId.js"
import { normalizedPhone } from "../participants/Participants.js"
import { NumberRepo } from "./NumberRepo.js"
import { OptOutRepo } from "./OptOutRepo.js"

/** The request of a received text, and whether it changed an opt-out. */
export interface AppliedWord {
  readonly word: OptOutWord
  readonly isChanged: boolean
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
      if (!(yield* repo.remove(organization, id))) return yield* notFound(id)
    })

    /**
     * Stores or lifts the opt-out that a received text requests (`optOutWord`). None for other texts. A repeat changes
     * nothing.
     */
    const apply = Effect.fn("OptOuts.apply")(function* (
      organization: OrganizationId,
      number: SenderId,
      phone: PhoneNumber,
      text: string
    ) {
      const word = optOutWord(text)
      if (word === null) return Option.none<AppliedWord>()
      const isChanged =
        word === "start"
          ? yield* repo.lift(organization, number, phone)
          : yield* repo.insert(organization, yield* newOptOut({ number, phone, source: "recipient" }))
      return Option.some<AppliedWord>({ word, isChanged })
    })

    return { add, get, list: repo.list, remove, apply } as const
  })
}) {}
