import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { DateRangeParams } from "@switchboard/domain/analytics/DateRange"
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
import { WhatsAppStats } from "@switchboard/domain/whatsapp/WhatsAppStats"
import { Schema } from "effect"
import { Audit, Extension, Location, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { rangeDescription } from "../CommonShapes.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../JsonParameter.js"

/** Query parameters of the list of service windows. */
const ServiceWindowListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ServiceWindowFilters, { participantId: "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa" }))
})

const ServiceWindowPage = Page(ParticipantServiceWindow).annotations({ identifier: "ServiceWindowPage" })

/** WhatsApp service windows: the periods in which a participant can be sent messages. */
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
        "WhatsApp service windows of the organization, newest first, including expired ones."
      )
  )
  .add(
    HttpApiEndpoint.post("open", "/whatsapp/service-windows")
      .setHeaders(IdempotencyHeaders)
      .setPayload(OpenServiceWindow)
      .addSuccess(ParticipantServiceWindow, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Location, "/v1/whatsapp/service-windows/:serviceWindowId")
      .annotate(Permission, "whatsapp.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Open or renew a service window")
      .annotate(
        OpenApi.Description,
        "Opens the window of a participant for 24 hours, or renews it. A received WhatsApp message does the same. A participant has one window, which keeps its id."
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
      .annotate(OpenApi.Description, "Returns the service window.")
  )
  .add(
    HttpApiEndpoint.post("activate", "/whatsapp/service-window/activate-fep")
      .setPayload(ActivateFreeEntryPoint)
      .addSuccess(ServiceWindow)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { values: "resource", path: "/v1/whatsapp/service-windows/:serviceWindowId" })
      .annotate(Permission, "whatsapp.write")
      .annotate(OpenApi.Summary, "Activate the free entry point of a window")
      .annotate(
        OpenApi.Description,
        "Activates the free entry point for 72 hours, for a participant who came from an advertisement or a page. 409: the service window is not active. An active free entry point stays unchanged."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "WhatsApp service windows") {}

/** Statistics of WhatsApp messages. */
export class WhatsAppStatsApi extends HttpApiGroup.make("whatsappStats")
  .add(
    HttpApiEndpoint.get("get", "/whatsapp/stats")
      .setUrlParams(Schema.Struct(DateRangeParams))
      .addSuccess(WhatsAppStats)
      .annotate(Permission, "whatsapp.read")
      .annotate(OpenApi.Summary, "Count WhatsApp messages")
      .annotate(OpenApi.Description, `Counts messages by status.\n\n${rangeDescription}`)
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "WhatsApp statistics") {}
