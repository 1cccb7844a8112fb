import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ConflictError,
  ExternalServiceError,
  PayloadTooLargeError,
  ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import { DetectedRegistrar } from "@switchboard/domain/email/domains/DnsProviders"
import { DomainName } from "@switchboard/domain/email/domains/DomainName"
import { DomainReport, DomainVerified } from "@switchboard/domain/email/domains/DomainReport"
import {
  CreateEmailDomain,
  EmailDomainFilters,
  NamedEmailDomain
} from "@switchboard/domain/email/domains/DomainRequests"
import { EmailDomain, EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Examples, Extension, Permission, RequestCost } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { domainExamples } from "./DomainExamples.js"

const id = Schema.Struct({ id: EmailDomainId })

/** What a list of domains may be narrowed to. */
export const EmailDomainListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(EmailDomainFilters, { status: "verified", search: "example" }))
})

export const EmailDomainPage = Page(EmailDomain).annotations({ identifier: "EmailDomainPage" })

/** To make keys costs as much as several requests. */
const keyPairCost = 10

/** The domains that an organization sends from. */
export class DomainsApi extends HttpApiGroup.make("domains")
  .add(
    HttpApiEndpoint.get("list", "/email/domains")
      .setUrlParams(EmailDomainListParams)
      .addSuccess(EmailDomainPage)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "List domains")
      .annotate(OpenApi.Description, "Domains of the organization, newest first. `search` looks into the name.")
  )
  .add(
    HttpApiEndpoint.post("create", "/email/domains")
      .setPayload(CreateEmailDomain)
      .addSuccess(EmailDomain, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "domains.write")
      .annotate(RequestCost, keyPairCost)
      .annotate(OpenApi.Summary, "Add a domain")
      .annotate(
        OpenApi.Description,
        "Adds a domain to send from: `pending` until the records of `dnsRecords` stand. They are looked up every 5 minutes for an hour, hourly to 72 hours, then daily. An internationalized name is given by its A-labels. An organization has at most 50 domains that are not verified (409). The request counts as 10 of the request rate."
      )
  )
  .add(
    HttpApiEndpoint.post("verify", "/email/domains/verify")
      .setPayload(NamedEmailDomain)
      .addSuccess(DomainVerified)
      .addError(ConflictError)
      .addError(ExternalServiceError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Verify a domain")
      .annotate(
        OpenApi.Description,
        "Looks the records up now and keeps what comes of it: `success` says whether ownership, DKIM and return path stand. A domain that another organization has verified is refused (409); name servers that fail are a 502, and change nothing."
      )
  )
  .add(
    HttpApiEndpoint.post("checkVerification", "/email/domains/check-verification")
      .setPayload(NamedEmailDomain)
      .addSuccess(DomainReport)
      .addError(ExternalServiceError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Check a domain's records")
      .annotate(
        OpenApi.Description,
        "Looks the records up now: what is expected beside what was found. Nothing is stored: `status` is the domain's as it is."
      )
  )
  .add(
    HttpApiEndpoint.get("detectRegistrar", "/email/domains/detect-registrar")
      .setUrlParams(Schema.Struct({ domain: DomainName }))
      .addSuccess(DetectedRegistrar)
      .addError(ExternalServiceError)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Detect who keeps a domain's records")
      .annotate(
        OpenApi.Description,
        "The name servers of the domain, or of the zone that it lies in; `provider` and `guideUrl` where their names tell."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/email/domains/:id")
      .setPath(id)
      .addSuccess(EmailDomain)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Retrieve a domain")
      .annotate(OpenApi.Description, "One domain with the records to publish. Private keys are in no answer.")
  )
  .add(
    HttpApiEndpoint.get("status", "/email/domains/:id/status")
      .setPath(id)
      .addSuccess(DomainReport)
      .addError(ExternalServiceError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Retrieve a domain's status")
      .annotate(
        OpenApi.Description,
        "The status as it is, and the records as they are found by a fresh look-up. A text's chunks, quotes and white space don't matter, aliases are followed. `_dmarc` is advised, and any valid policy is ok; of a domain that was verified the key that does not sign may be missing."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/domains/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Remove a domain")
      .annotate(
        OpenApi.Description,
        "Erases the domain and its keys, and what it receives. Refused while a sender, a forwarding rule or a catch-all that is on uses it (409): a rule uses the domain of its `match.recipient`."
      )
  )
  .add(
    HttpApiEndpoint.post("rotateDkim", "/email/domains/:id/rotate-dkim")
      .setPath(id)
      .addSuccess(EmailDomain)
      .addError(ConflictError)
      .addError(ExternalServiceError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.write")
      .annotate(RequestCost, keyPairCost)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Rotate a domain's DKIM keys (extension)")
      .annotate(
        OpenApi.Description,
        "An addition to the specification. The other selector signs from now on (within seconds everywhere), and a new key takes the place of the one before, to be published before the next rotation; leave the old record for some days, for mail that is under way. Of a verified domain the key that is to sign must stand already (409 says what to publish). The request counts as 10 of the request rate."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, domainExamples)
  .annotate(OpenApi.Title, "Domains") {}
