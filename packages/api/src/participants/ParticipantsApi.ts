import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Participant, ParticipantId } from "@switchboard/domain/participants/Participant"
import {
  CreateParticipant,
  ParticipantFilters,
  UpdateParticipant
} from "@switchboard/domain/participants/ParticipantRequests"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Removed } from "../CommonShapes.js"
import { Filters } from "../Filters.js"
import { participantExamples } from "./ParticipantExamples.js"

const id = Schema.Struct({ id: ParticipantId })

/** What a list of participants may be narrowed to. */
export const ParticipantListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ParticipantFilters, { type: "contact", search: "ada" }))
})

export const ParticipantPage = Page(Participant).annotations({ identifier: "ParticipantPage" })

/** The people that an organization writes with. */
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
        "Everyone whom messages of the organization are from or to, and whoever was added, newest first. `search` looks into names and addresses."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/participants")
      .setPayload(CreateParticipant)
      .addSuccess(Participant, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "participants.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Add a contact")
      .annotate(
        OpenApi.Description,
        "An address belongs to one participant: every message to it, in whatever case it is written, and every mail from it is theirs. Where mail alone has made a contact of the address, that contact becomes this one, with its id and its messages. An address of anybody else answers 409, which names them. Phone numbers and WhatsApp ids are stored as `+` and digits (E.164)."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/participants/:id")
      .setPath(id)
      .addSuccess(Participant)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "participants.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Get a participant")
      .annotate(OpenApi.Description, "Who it is, and by which addresses they are reached.")
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
      .annotate(Permission, "participants.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Update a participant")
      .annotate(
        OpenApi.Description,
        "Changes what is given; null takes away what need not be there. An address takes the place of all of its kind; one of another participant answers 409, which names them. What was sent before stays with whom it was sent to."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/participants/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "participants.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Remove a participant")
      .annotate(
        OpenApi.Description,
        "Only one whom no message names and who takes part in no conversation; any other answers 409. Its addresses are nobody's then: the next message to one of them makes a new contact."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, participantExamples)
  .annotate(OpenApi.Title, "Participants") {}
