import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { MessageParticipant, ParticipantId } from "@switchboard/domain/participants/Participant"
import { Context, type Effect } from "effect"

/** Where people are kept. They come into being when a message first names their address. */
export class ParticipantRepo extends Context.Tag("services/ParticipantRepo")<
  ParticipantRepo,
  {
    /** Those of the ids that are the organization's, in no order. */
    readonly findMany: (
      organization: OrganizationId,
      ids: ReadonlyArray<ParticipantId>
    ) => Effect.Effect<ReadonlyArray<MessageParticipant>, ServiceUnavailableError>
  }
>() {}
