import { afterUpdate } from "@switchboard/domain/Clearable"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Participant, ParticipantId } from "@switchboard/domain/participants/Participant"
import type { CreateParticipant, UpdateParticipant } from "@switchboard/domain/participants/ParticipantRequests"
import { DateTime, Effect } from "effect"
import { newId } from "../NewId.js"
import { normalizedAddresses, withAddresses } from "./NormalizedAddresses.js"
import { ParticipantRepo } from "./ParticipantRepo.js"

/** The participants of an organization. */
export class Participants extends Effect.Service<Participants>()("services/Participants", {
  effect: Effect.gen(function* () {
    const repo = yield* ParticipantRepo

    const notFound = (id: ParticipantId) => new ResourceNotFoundError({ resource: "participant", id })

    const create = Effect.fn("Participants.create")(function* (
      organizationId: OrganizationId,
      { country, displayName, metadata, name, region, ...addresses }: CreateParticipant
    ) {
      const normalized = yield* normalizedAddresses(addresses)
      const { id, now } = yield* newId(ParticipantId)
      return yield* repo.insert(
        new Participant(
          {
            id,
            organizationId,
            name,
            displayName,
            type: "contact",
            channelIdentities: withAddresses({}, normalized),
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
      const normalized = yield* normalizedAddresses(addresses)
      const now = yield* DateTime.now
      const changed = yield* repo.change(
        organization,
        id,
        (before) =>
          new Participant(
            {
              ...before,
              name: name ?? before.name,
              displayName: afterUpdate(displayName, before.displayName, undefined),
              channelIdentities: withAddresses(before.channelIdentities, normalized),
              country: afterUpdate(country, before.country, undefined),
              region: afterUpdate(region, before.region, undefined),
              metadata: afterUpdate(metadata, before.metadata, undefined),
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
