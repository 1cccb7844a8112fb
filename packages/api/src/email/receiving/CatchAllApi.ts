import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { DomainName } from "@switchboard/domain/email/domains/DomainName"
import {
  CatchAllConfig,
  CatchAllStats,
  SwitchCatchAll,
  UpdateCatchAll
} from "@switchboard/domain/email/receiving/CatchAll"
import { Schema } from "effect"
import { Examples, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { receivingExamples } from "./ReceivingExamples.js"

const named = Schema.Struct({ domain: DomainName })

const forwards =
  "Mail that it takes is received like any other, and goes on to `forwardTo` too, unless a forwarding rule says otherwise."

/** What becomes of mail to domains that none of their addresses takes. */
export class CatchAllApi extends HttpApiGroup.make("catchAll")
  .add(
    HttpApiEndpoint.post("enable", "/email/catch-all/enable")
      .setPayload(SwitchCatchAll)
      .addSuccess(CatchAllConfig)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Switch a domain's catch-all on")
      .annotate(
        OpenApi.Description,
        `Takes mail to every address of the domain that is not excluded. ${forwards} \`forwardTo\` stays as it is where it is left out. Refused (409) for a domain that does not receive mail yet (enable receiving first), and where the catch-all would take again what it forwards.`
      )
  )
  .add(
    HttpApiEndpoint.post("disable", "/email/catch-all/disable")
      .setPayload(SwitchCatchAll)
      .addSuccess(CatchAllConfig)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Switch a domain's catch-all off")
      .annotate(
        OpenApi.Description,
        "Mail to addresses that the domain does not have is refused again. What the catch-all is set up with stays, for when it is switched on again."
      )
  )
  .add(
    HttpApiEndpoint.get("config", "/email/catch-all/config")
      .setUrlParams(named)
      .addSuccess(CatchAllConfig)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve a domain's catch-all")
      .annotate(
        OpenApi.Description,
        "What the catch-all of a domain is set up with. One that nobody has asked for yet is off, as old as its domain."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/email/catch-all/config")
      .setPayload(UpdateCatchAll)
      .addSuccess(CatchAllConfig)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Update a domain's catch-all")
      .annotate(
        OpenApi.Description,
        "Changes what is given; lists take the place of those before. Addresses of `exclude` are whole, or only what stands before the `@`."
      )
  )
  .add(
    HttpApiEndpoint.get("stats", "/email/catch-all/stats")
      .setUrlParams(named)
      .addSuccess(CatchAllStats)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve what a domain's catch-all has done")
      .annotate(
        OpenApi.Description,
        "Mails that it took, that went on, and recipients that were refused because they are excluded (some seconds late). The last 24 hours and 30 days count by whole hours (UTC)."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, receivingExamples)
  .annotate(OpenApi.Title, "Catch-all") {}
