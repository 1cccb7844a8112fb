import { HttpApiBuilder } from "@effect/platform"
import { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { pageRequest } from "@switchboard/domain/Page"
import { DomainPauses } from "@switchboard/services/email/domains/DomainPauses"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { ReportFigures } from "@switchboard/services/email/reports/MailReporting"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"

export const DomainsHttp = HttpApiBuilder.group(
  Api,
  "domains",
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* Domains
    const pauses = yield* DomainPauses
    const figures = yield* ReportFigures
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          domains.list(organizationId, filters, pageRequest(params))
        )
      )
      .handle(
        "create",
        once(
          ({ payload }, { organizationId }) => domains.create(organizationId, payload),
          (id, { organizationId }) => domains.get(organizationId, EmailDomainId.make(id))
        )
      )
      .handle("verify", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => domains.verify(organizationId, payload.domain))
      )
      .handle("checkVerification", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => domains.statusByName(organizationId, payload.domain))
      )
      .handle("detectRegistrar", ({ urlParams: { domain } }) => domains.detectRegistrar(domain))
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => domains.get(organizationId, id))
      )
      .handle("status", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => domains.status(organizationId, id))
      )
      .handle("reports", ({ path: { id }, urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => figures.ofDomain(organizationId, id, urlParams))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => domains.update(organizationId, id, payload))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(domains.remove(organizationId, id), removed))
      )
      .handle("rotateDkim", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => domains.rotateDkim(organizationId, id))
      )
      .handle("pause", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => pauses.pause(organizationId, id))
      )
      .handle("resume", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => pauses.resume(organizationId, id))
      )
      .pipe(withBodies)
  })
)
