import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import {
  ActivateFreeEntryPoint,
  OpenServiceWindow,
  ParticipantServiceWindow,
  ServiceWindow,
  ServiceWindowFilters,
  ServiceWindowId
} from "@switchboard/domain/whatsapp/ServiceWindow"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Filters } from "../Filters.js"
import { serviceWindowExamples } from "./ServiceWindowExamples.js"

/** What a list of service windows may be narrowed to. */
export const ServiceWindowListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ServiceWindowFilters, { participantId: "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa" }))
})

export const ServiceWindowPage = Page(ParticipantServiceWindow).annotations({ identifier: "ServiceWindowPage" })

/** Who may be written to by WhatsApp, and for how long. */
export class ServiceWindowsApi extends HttpApiGroup.make("serviceWindows")
  .add(
    HttpApiEndpoint.get("list", "/whatsapp/service-windows")
      .setUrlParams(ServiceWindowListParams)
      .addSuccess(ServiceWindowPage)
      .annotate(Permission, "whatsapp.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List service windows")
      .annotate(
        OpenApi.Description,
        "An extension. Service windows of the organization, newest first, also those that are over; `participantId` says whose each is."
      )
  )
  .add(
    HttpApiEndpoint.post("open", "/whatsapp/service-windows")
      .setPayload(OpenServiceWindow)
      .addSuccess(ParticipantServiceWindow, { status: 201 })
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "whatsapp.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Open or renew a service window")
      .annotate(
        OpenApi.Description,
        "An extension. Opens the participant's window for 24 hours, or renews the one that there is, as a WhatsApp message of theirs does when it is stored. A participant has one window, which keeps its id."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/whatsapp/service-windows/:id")
      .setPath(Schema.Struct({ id: ServiceWindowId }))
      .addSuccess(ParticipantServiceWindow)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "whatsapp.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a service window")
      .annotate(OpenApi.Description, "An extension. One service window as it is now.")
  )
  .add(
    HttpApiEndpoint.post("activate", "/whatsapp/service-window/activate-fep")
      .setPayload(ActivateFreeEntryPoint)
      .addSuccess(ServiceWindow)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "whatsapp.write")
      .annotate(OpenApi.Summary, "Activate the free entry point of a service window")
      .annotate(
        OpenApi.Description,
        "Somebody came from an advertisement or a page: for 72 hours from now. It is only activated while the service window is active (409); one that is active already stays as it is."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, serviceWindowExamples)
  .annotate(OpenApi.Title, "WhatsApp service windows") {}
