import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Participant, ParticipantId } from "@switchboard/domain/participants/Participant"
import type { CreateParticipant, UpdateParticipant } from "@switchboard/domain/participants/ParticipantRequests"
import { DateTime, Effect } from "effect"
import { newId } from "../NewId.js"
import { ParticipantRepo } from "./ParticipantRepo.js"
import { wantedAddresses, withAddresses } from "./WantedAddresses.js"

/** What is left out stays, null is nothing from now on. */
const kept = <A>(given: A | null | undefined, before: A | undefined): A | undefined =>
  given === undefined ? before : (given ?? undefined)

/** The people that an organization writes with. */
export class Participants extends Effect.Service<Participants>()("services/Participants", {
  effect: Effect.gen(function* () {
    const repo = yield* ParticipantRepo

    const notFound = (id: ParticipantId) => new ResourceNotFoundError({ resource: "participant", id })

    const create = Effect.fn("Participants.create")(function* (
      organizationId: OrganizationId,
      { country, displayName, metadata, name, region, ...addresses }: CreateParticipant
    ) {
      const wanted = yield* wantedAddresses(addresses)
      const { id, now } = yield* newId(ParticipantId)
      return yield* repo.insert(
        new Participant(
          {
            id,
            organizationId,
            name,
            displayName,
            type: "contact",
            channelIdentities: withAddresses({}, wanted),
            country,
            region,
            metadata,
            createdAt: now,
            updatedAt: now
          },
          { disableValidation: true }
        )
      )
    })

    const get = Effect.fn("Participants.get")(function* (organization: OrganizationId, id: ParticipantId) {
      const found = yield* repo.find(organization, id)
      return yield* Effect.mapError(found, () => notFound(id))
    })

    const update = Effect.fn("Participants.update")(function* (
      organization: OrganizationId,
      id: ParticipantId,
      { country, displayName, metadata, name, region, ...addresses }: UpdateParticipant
    ) {
      const wanted = yield* wantedAddresses(addresses)
      const now = yield* DateTime.now
      const changed = yield* repo.change(
        organization,
        id,
        (before) =>
          new Participant(
            {
              ...before,
              name: name ?? before.name,
              displayName: kept(displayName, before.displayName),
              channelIdentities: withAddresses(before.channelIdentities, wanted),
              country: kept(country, before.country),
              region: kept(region, before.region),
              metadata: kept(metadata, before.metadata),
              updatedAt: now
            },
            { disableValidation: true }
          )
      )
      return yield* Effect.mapError(changed, () => notFound(id))
    })

    const remove = Effect.fn("Participants.remove")(function* (organization: OrganizationId, id: ParticipantId) {
      if (!(yield* repo.remove(organization, id))) return yield* notFound(id)
    })

    return { create, get, list: repo.list, update, remove } as const
  })
}) {}
