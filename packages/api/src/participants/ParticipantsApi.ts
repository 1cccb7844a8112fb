import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import {
  CreateParticipant,
  Participant,
  ParticipantFilters,
  ParticipantId,
  UpdateParticipant
} from "@switchboard/domain/participants/Participant"
import { Schema } from "effect"
import { Audit, auditReasons, Extension, Location, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Removed } from "../CommonShapes.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../JsonParameter.js"

const id = Schema.Struct({ id: ParticipantId })

/** Query parameters of the list of participants. */
export const ParticipantListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ParticipantFilters, { type: "contact", search: "ada" }))
})

export const ParticipantPage = Page(Participant).annotations({ identifier: "ParticipantPage" })

/** Senders and recipients of messages. */
export class ParticipantsApi extends HttpApiGroup.make("participants")
  .add(
    HttpApiEndpoint.get("list", "/participants")
      .setUrlParams(ParticipantListParams)
      .addSuccess(ParticipantPage)
      .annotate(Permission, "participants.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List participants")
      .annotate(
        OpenApi.Description,
        "Authors and recipients of the organization's messages, and contacts that were created, newest first."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/participants")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateParticipant)
      .addSuccess(Participant, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Audit, { withoutValues: auditReasons.content })
      .annotate(Location, "/v1/participants/:id")
      .annotate(Permission, "participants.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Create a contact")
      .annotate(
        OpenApi.Description,
        [
          "An address belongs to one participant. Messages to and from it belong to that participant; upper and lower case are equal.",
          "",
          "- If earlier mail created a contact for the address, that contact is updated. It keeps its id and messages.",
          "- 409: another participant has the address. The message names it.",
          "- Phone numbers and WhatsApp ids are stored as `+` and digits (E.164)."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/participants/:id")
      .setPath(id)
      .addSuccess(Participant)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "participants.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a participant")
      .annotate(OpenApi.Description, "Returns the participant and its addresses.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/participants/:id")
      .setPath(id)
      .setPayload(UpdateParticipant)
      .addSuccess(Participant)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { withoutValues: auditReasons.content })
      .annotate(Permission, "participants.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Update a participant")
      .annotate(
        OpenApi.Description,
        "Changes the given fields. `null` resets a field that a creation may omit. An address replaces all earlier ones of its kind. 409: another participant has the address; the message names it. Earlier messages keep their participant."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/participants/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Audit, { withoutValues: auditReasons.content })
      .annotate(Permission, "participants.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Delete a participant")
      .annotate(
        OpenApi.Description,
        "409: a message or a conversation refers to the participant. After the deletion, the next message to one of its addresses creates a new contact."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Participants") {}
