import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { EnableReceiving, ReceivingEnabled } from "@switchboard/domain/email/receiving/EnableReceiving"
import { Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"

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
