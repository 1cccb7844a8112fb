import { HttpApiBuilder } from "@effect/platform"
import { DetectedRegistrar } from "@switchboard/domain/email/domains/DnsProviders"
import { DomainReport, DomainVerified } from "@switchboard/domain/email/domains/DomainReport"
import { CreateEmailDomain, NamedEmailDomain } from "@switchboard/domain/email/domains/DomainRequests"
import { EmailDomain } from "@switchboard/domain/email/domains/EmailDomain"
import { pageRequest } from "@switchboard/domain/Page"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody } from "../../Door.js"
import { respond } from "../../Respond.js"
import { Removed } from "../../Wire.js"
import { EmailDomainPage } from "./DomainsApi.js"

const answerDomain = respond(EmailDomain)
const answerCreated = respond(EmailDomain, 201)
const answerPage = respond(EmailDomainPage)
const answerVerified = respond(DomainVerified)
const answerReport = respond(DomainReport)
const answerRegistrar = respond(DetectedRegistrar)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateEmailDomain)
const readNamed = readBody(NamedEmailDomain)

export const DomainsHttp = HttpApiBuilder.group(
  Api,
  "domains",
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* Domains
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(domains.list(organizationId, filters, pageRequest(params)), (found) => answerPage(found))
        )
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerCreated(yield* domains.create(organizationId, yield* readCreate))
        })
      )
      .handleRaw("verify", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const { domain } = yield* readNamed
          return answerVerified(yield* domains.verify(organizationId, domain))
        })
      )
      .handleRaw("checkVerification", () =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const { domain } = yield* readNamed
          return answerReport(yield* domains.statusByName(organizationId, domain))
        })
      )
      .handleRaw("detectRegistrar", ({ urlParams: { domain } }) =>
        Effect.map(domains.detectRegistrar(domain), (found) => answerRegistrar(found))
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(domains.get(organizationId, id), (found) => answerDomain(found))
        )
      )
      .handleRaw("status", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(domains.status(organizationId, id), (found) => answerReport(found))
        )
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(domains.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("rotateDkim", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(domains.rotateDkim(organizationId, id), (rotated) => answerDomain(rotated))
        )
      )
  })
)
