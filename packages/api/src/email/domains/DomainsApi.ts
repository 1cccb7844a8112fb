import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { DateRangeParams } from "@switchboard/domain/analytics/DateRange"
import {
  ConflictError,
  ExternalServiceError,
  PayloadTooLargeError,
  ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import { DetectedRegistrar } from "@switchboard/domain/email/domains/DnsProviders"
import {
  CreateEmailDomain,
  DomainName,
  DomainReport,
  DomainVerified,
  EmailDomain,
  EmailDomainFilters,
  EmailDomainId,
  NamedEmailDomain,
  UpdateEmailDomain
} from "@switchboard/domain/email/domains/EmailDomain"
import { MailReports } from "@switchboard/domain/email/reports/MailReports"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Audit, auditReasons, Extension, Location, Permission, RequestCost } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../../JsonParameter.js"

const id = Schema.Struct({ id: EmailDomainId })

/** Query parameters of the list of domains. */
export const EmailDomainListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(EmailDomainFilters, { status: "verified", search: "example" }))
})

export const EmailDomainPage = Page(EmailDomain).annotations({ identifier: "EmailDomainPage" })

/** Generating an RSA key pair counts as several requests of the rate limit. */
export const keyPairCost = 10

/** Sending domains and their DNS records. */
export class DomainsApi extends HttpApiGroup.make("domains")
  .add(
    HttpApiEndpoint.get("list", "/email/domains")
      .setUrlParams(EmailDomainListParams)
      .addSuccess(EmailDomainPage)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "List domains")
      .annotate(OpenApi.Description, "Domains of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.post("create", "/email/domains")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateEmailDomain)
      .addSuccess(EmailDomain, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Location, "/v1/email/domains/:id")
      .annotate(Permission, "domains.write")
      .annotate(RequestCost, keyPairCost)
      .annotate(OpenApi.Summary, "Add a domain")
      .annotate(
        OpenApi.Description,
        [
          "Adds a domain to send from. It is `pending` until its `dnsRecords` are published.",
          "",
          "- The records are checked every 5 minutes for an hour, hourly up to 72 hours, then daily.",
          "- `trackOpens` and `trackClicks` are the defaults of mail from the domain. Default: false. An extension.",
          "- `trackingDomain` is the host of the links in tracked mail, once its CNAME record is found. Default: the host of the service. An extension.",
          "- An organization has at most 50 unverified domains (409).",
          "- The request counts as 10 requests of the rate limit."
        ].join("\n")
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
      .annotate(Audit, { values: "response", resourceId: "domain" })
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Verify a domain")
      .annotate(
        OpenApi.Description,
        "Looks up the DNS records and stores the result. `success`: ownership, DKIM and return path were found. `records` compares the expected records with those found. 409: another organization has verified the domain. 502: the name servers failed; nothing is stored."
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
      .annotate(Audit, { unaudited: auditReasons.check })
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Check the DNS records of a domain")
      .annotate(
        OpenApi.Description,
        "Looks up the DNS records and compares them with the expected ones. Nothing is stored."
      )
  )
  .add(
    HttpApiEndpoint.get("detectRegistrar", "/email/domains/detect-registrar")
      .setUrlParams(Schema.Struct({ domain: DomainName }))
      .addSuccess(DetectedRegistrar)
      .addError(ExternalServiceError)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Detect the DNS provider of a domain")
      .annotate(
        OpenApi.Description,
        "Returns the name servers of the domain or of its `zone`. `provider` and `guideUrl` are present if the provider is recognized."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/email/domains/:id")
      .setPath(id)
      .addSuccess(EmailDomain)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Retrieve a domain")
      .annotate(OpenApi.Description, "Returns the domain and the DNS records to publish. Private keys are never shown.")
  )
  .add(
    HttpApiEndpoint.get("status", "/email/domains/:id/status")
      .setPath(id)
      .addSuccess(DomainReport)
      .addError(ExternalServiceError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Retrieve the status of a domain")
      .annotate(
        OpenApi.Description,
        [
          "Returns the stored status and the result of a DNS lookup.",
          "",
          "- Quotes, chunks and white space of TXT records are ignored. CNAME records are followed.",
          "- `_dmarc` and `_smtp._tls` are optional; any valid policy and address is accepted.",
          "- For a verified domain, the DKIM key that does not sign is optional."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("reports", "/email/domains/:id/reports")
      .setPath(id)
      .setUrlParams(Schema.Struct(DateRangeParams))
      .addSuccess(MailReports)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve the DMARC and TLS reports of a domain")
      .annotate(
        OpenApi.Description,
        [
          "Sums the reports that other mail systems sent to the address in the domain's records `_dmarc` and `_smtp._tls`.",
          "",
          "- A report counts if its period, mostly a day, begins in the range. Default: the last 30 days. At most 366 days.",
          "- DMARC aggregate reports (RFC 7489, RFC 9990) are about mail that claims to be from the domain. A mail passes with DKIM or SPF of an aligned domain.",
          "- SMTP TLS reports (RFC 8460) are about connections that bring mail to the domain.",
          "- At most 100 `sources`, `failures` and `reporters`: the most failing sources and the most frequent failures."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/email/domains/:id")
      .setPath(id)
      .setPayload(UpdateEmailDomain)
      .addSuccess(EmailDomain)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "domains.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Update the tracking of a domain")
      .annotate(
        OpenApi.Description,
        [
          "Changes the given fields. `null` resets a field to its default.",
          "",
          "- `trackOpens` and `trackClicks` apply to mail that is accepted from now on, and whose send has no value of its own.",
          "- The record of a new `trackingDomain` is looked up within a minute, and with each check of the domain. Links lead over the host of the service while the record is missing."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/domains/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Delete a domain")
      .annotate(
        OpenApi.Description,
        "Deletes the domain, its keys and its receiving addresses. Messages that wait for the end of its pause are attempted. 409: a sender, a forwarding rule (`match.recipient`) or an enabled catch-all uses it."
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
      .annotate(OpenApi.Summary, "Rotate the DKIM keys of a domain")
      .annotate(
        OpenApi.Description,
        [
          "The other selector signs from now on, within seconds. A new key replaces the earlier one.",
          "",
          "- Publish the new key before the next rotation. Keep the old record for some days, for mail in transit.",
          "- 409: the domain is verified and the key that would sign is not published. The message names the record.",
          "- The request counts as 10 requests of the rate limit."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("pause", "/email/domains/:id/pause")
      .setPath(id)
      .addSuccess(EmailDomain)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Pause mail from a domain")
      .annotate(
        OpenApi.Description,
        [
          "Mail from the domain waits from now on, within seconds. Mail from other domains is sent.",
          "",
          "- New messages are accepted and stay `pending`; a scheduled message waits from its time on.",
          "- The service pauses a domain itself if too many of its messages of 24 hours bounce or have complaints.",
          "- 409: the domain is paused already."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("resume", "/email/domains/:id/resume")
      .setPath(id)
      .addSuccess(EmailDomain)
      .addError(ConflictError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.write")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Resume mail from a domain")
      .annotate(
        OpenApi.Description,
        [
          "Ends the pause of the domain. The messages that waited are sent, within seconds.",
          "",
          "- Only messages that are sent from now on can pause the domain again.",
          "- A message that would be too old has another day for its attempts.",
          "- 409: the domain is not paused."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Domains") {}
