import { ConflictError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { page } from "@switchboard/domain/Page"
import type { Participant } from "@switchboard/domain/participants/Participant"
import type { ParticipantFilters } from "@switchboard/domain/participants/ParticipantRequests"
import { ParticipantRepo } from "@switchboard/services/participants/ParticipantRepo"
import { Participants } from "@switchboard/services/participants/Participants"
import { Effect, Layer, Option } from "effect"

/** What lists were asked for. */
export const askedFor: Array<ParticipantFilters> = []

/** Participants as long as the test lasts. */
export const participantsInMemory = () => {
  const stored = new Map<string, Participant>()
  const of = (organization: OrganizationId) =>
    [...stored.values()].filter(({ organizationId }) => organizationId === organization)
  const addressesOf = ({ channelIdentities }: Participant) => Object.values(channelIdentities).flat()

  const store = (participant: Participant) =>
    Effect.suspend(() => {
      const taken = of(participant.organizationId).find(
        (one) =>
          one.id !== participant.id && addressesOf(one).some((address) => addressesOf(participant).includes(address))
      )
      if (taken !== undefined) return new ConflictError({ message: `Belongs to ${taken.id}`, resource: "participant" })
      stored.set(participant.id, participant)
      return Effect.succeed(participant)
    })

  const find: ParticipantRepo["Type"]["find"] = (organization, id) =>
    Effect.sync(() => Option.fromNullable(of(organization).find((one) => one.id === id)))

  return Participants.Default.pipe(
    Layer.provide(
      Layer.mock(ParticipantRepo, {
        insert: store,
        find,
        list: (organization, filters, request) =>
          Effect.sync(() => {
            askedFor.push(filters)
            const found = of(organization).toReversed()
            return page(found.slice(0, request.limit), found.length, request)
          }),
        change: (organization, id, change) =>
          Effect.flatMap(
            find(organization, id),
            Option.match({
              onNone: () => Effect.succeedNone,
              onSome: (before) => Effect.map(store(change(before)), Option.some)
            })
          ),
        remove: (organization, id) =>
          Effect.map(find(organization, id), (found) => Option.isSome(found) && stored.delete(id))
      })
    )
  )
}
