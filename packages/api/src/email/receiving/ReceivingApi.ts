import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { EnableReceiving, ReceivingEnabled } from "@switchboard/domain/email/receiving/EnableReceiving"
import { Examples, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { receivingExamples } from "./ReceivingExamples.js"

/** Mail that comes to an organization's domains. */
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
      .annotate(OpenApi.Summary, "Have a domain receive mail")
      .annotate(
        OpenApi.Description,
        "Says all that a verified domain receives: `addresses` (whole, or only what stands before the `@`), and with `catchAll` whatever else comes. Said again, it takes the place of what was said before: addresses that are left out are refused from now on, and without `catchAll` the catch-all is off (what it is set up with stays). Signed reply addresses are taken in any case. `dnsRecords` of the domain ask for its MX from now on. A domain that is not verified is refused (409)."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, receivingExamples)
  .annotate(OpenApi.Title, "Receiving") {}
