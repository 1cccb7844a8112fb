import { EmailDomainId, type EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { CatchAlls } from "@switchboard/services/email/receiving/CatchAlls"
import { ReceivingDomains } from "@switchboard/services/email/receiving/ReceivingDomains"
import { type ReceivingDomain, ReceivingRepo } from "@switchboard/services/email/receiving/ReceivingRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { v7 } from "uuid"

const domain = (name: string, status: EmailDomainStatus): ReceivingDomain => ({
  id: EmailDomainId.make(v7()),
  domain: name,
  status,
  createdAt: DateTime.unsafeMake("2026-11-20T09:30:00.000Z"),
  receiving: false,
  addresses: [],
  catchAll: Option.none()
})

/** What domains of one organization receive: `pending.test`, and domains that are verified. */
export const receivingInMemory = (owner: OrganizationId) => {
  const rows = new Map(
    ["pending", "verified", "caught", "silent"].map((name) => [
      `${name}.test`,
      domain(`${name}.test`, name === "pending" ? "pending" : "verified")
    ])
  )
  const find = (organization: OrganizationId, name: string) =>
    Effect.sync(() => Option.filter(Option.fromNullable(rows.get(name)), () => organization === owner))

  const Repo = Layer.mock(ReceivingRepo, {
    find,
    change: (organization, name, decide) =>
      Effect.flatMap(
        find(organization, name),
        Option.match({
          onNone: () => Effect.succeedNone,
          onSome: (present) =>
            Effect.map(decide(present), (changed) => {
              const after = { ...present, ...changed }
              rows.set(name, after)
              return Option.some(after)
            })
        })
      ),
    counts: () => Effect.succeed({ received: 7, forwarded: 3, rejected: 2, last24Hours: 1, last30Days: 5 })
  })
  return Layer.merge(ReceivingDomains.Default, CatchAlls.Default).pipe(Layer.provide(Repo))
}
