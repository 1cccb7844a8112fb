import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type SenderId, SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { DateTime, Effect, Option } from "effect"
import { HandsetEnabled } from "../handset/HandsetPhone.js"
import { NumberRepo } from "./NumberRepo.js"

/** The number of the local handset with this index: +1 555 01x xxxx. */
const localNumber = (index: number): SenderId => `+1555${String(100_000 + index).padStart(7, "0")}`

/** The default number of an organization on the local handset, so that it can send texts without setup. */
export class LocalNumbers extends Effect.Service<LocalNumbers>()("services/LocalNumbers", {
  effect: Effect.gen(function* () {
    const repo = yield* NumberRepo
    const isEnabled = yield* HandsetEnabled

    /** Adds the first free local number from an index, unless the organization has a number by then. */
    const addFrom = (organization: OrganizationId, index: number): ReturnType<typeof repo.add> =>
      Effect.gen(function* () {
        if ((yield* repo.list(organization)).length > 0) return
        const createdAt = yield* DateTime.now
        yield* repo.add(
          organization,
          new SmsNumber({ number: localNumber(index), channels: ["sms", "whatsapp", "voice"], createdAt })
        )
      }).pipe(Effect.catchTag("ConflictError", () => addFrom(organization, index + 1)))

    /**
     * Ensures that an organization without numbers has a local number for texts, WhatsApp and calls. Returns the organization's
     * oldest number. Changes nothing without the local handset.
     */
    const ensure = Effect.fn("LocalNumbers.ensure")(function* (organization: OrganizationId) {
      if (!isEnabled) return Option.none<SenderId>()
      yield* addFrom(organization, 0)
      return yield* repo.defaultOf(organization, "sms")
    })

    return { ensure } as const
  })
}) {}
