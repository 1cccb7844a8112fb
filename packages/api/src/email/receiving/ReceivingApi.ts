import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { DomainName } from "@switchboard/domain/email/domains/EmailDomain"
import {
  CatchAllConfig,
  CatchAllStats,
  EnableReceiving,
  ReceivingEnabled,
  SwitchCatchAll,
  UpdateCatchAll
} from "@switchboard/domain/email/receiving/ReceivingAddress"
import { Schema } from "effect"
import { Audit, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"

const named = Schema.Struct({ domain: DomainName })

/** The catch-all of a domain: mail to addresses that the domain does not have. */
export class CatchAllApi extends HttpApiGroup.make("catchAll")
  .add(
    HttpApiEndpoint.post("enable", "/email/catch-all/enable")
      .setPayload(SwitchCatchAll)
      .addSuccess(CatchAllConfig)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { values: "resource", path: "/v1/email/catch-all/config", resourceId: "domain" })
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Enable the catch-all of a domain")
      .annotate(
        OpenApi.Description,
        [
          "Receives mail to every address of the domain except `exclude`.",
          "",
          "- The mail is also forwarded to `forwardTo`, unless a forwarding rule matches. Without `forwardTo` in the request, the earlier addresses stay.",
          "- 409: the domain does not receive mail (enable receiving first), or the catch-all would receive the mail that it forwards."
        ].join("\n")
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
      .annotate(Audit, { values: "resource", path: "/v1/email/catch-all/config", resourceId: "domain" })
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Disable the catch-all of a domain")
      .annotate(OpenApi.Description, "Mail to unknown addresses of the domain is rejected. The configuration stays.")
  )
  .add(
    HttpApiEndpoint.get("config", "/email/catch-all/config")
      .setUrlParams(named)
      .addSuccess(CatchAllConfig)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve the catch-all of a domain")
      .annotate(OpenApi.Description, "Returns the configuration. Without one, the catch-all is off.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/email/catch-all/config")
      .setPayload(UpdateCatchAll)
      .addSuccess(CatchAllConfig)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { values: "resource", path: "/v1/email/catch-all/config", resourceId: "domain" })
      .annotate(Permission, "email.write")
      .annotate(OpenApi.Summary, "Update the catch-all of a domain")
      .annotate(OpenApi.Description, "Changes the given fields. Lists replace the earlier ones; `null` empties them.")
  )
  .add(
    HttpApiEndpoint.get("stats", "/email/catch-all/stats")
      .setUrlParams(named)
      .addSuccess(CatchAllStats)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve the statistics of a catch-all")
      .annotate(
        OpenApi.Description,
        "Counts received and forwarded mail, and recipients rejected by `exclude`. Counts appear after some seconds. `last24Hours` and `last30Days` count full hours (UTC)."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Catch-all") {}

/** Receiving addresses of domains. */
export class ReceivingApi extends HttpApiGroup.make("receiving")
  .add(
    HttpApiEndpoint.post("enable", "/email/domains/enable-receiving")
      .setPayload(EnableReceiving)
      .addSuccess(ReceivingEnabled)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { values: "response", resourceId: "domain" })
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Enable receiving for a domain")
      .annotate(
        OpenApi.Description,
        [
          "Sets the addresses of a verified domain that receive mail.",
          "",
          "- The request replaces the earlier settings: omitted addresses are rejected, and without `catchAll` the catch-all is off. Its configuration stays.",
          "- Signed reply addresses always receive mail.",
          "- `dnsRecords` of the domain then include its MX record.",
          "- 409: the domain is not verified."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Receiving") {}
