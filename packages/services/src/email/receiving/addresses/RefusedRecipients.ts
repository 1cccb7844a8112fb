import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Schedule } from "effect"
import { type CatchAllRefusals, ReceivingRepo } from "./ReceivingRepo.js"

const flushEvery = "5 seconds"

/**
 * Counts the recipients that catch-alls exclude. Clients may try any number of addresses, so a rejection only
 * increments a counter in memory; each domain's counter is written every 5 seconds.
 */
export class RefusedRecipients extends Effect.Service<RefusedRecipients>()("services/RefusedRecipients", {
  scoped: Effect.gen(function* () {
    const repo = yield* ReceivingRepo
    let counted = new Map<EmailDomainId, CatchAllRefusals>()

    const count = (organizationId: OrganizationId, domainId: EmailDomainId, refused: number): void => {
      const before = counted.get(domainId)?.count ?? 0
      counted.set(domainId, { organizationId, domainId, count: before + refused })
    }

    /** Counts a rejection by a domain's catch-all. */
    const note = (organizationId: OrganizationId, domainId: EmailDomainId): void => count(organizationId, domainId, 1)

    const flush = Effect.suspend(() => {
      const taken = [...counted.values()]
      counted = new Map()
      if (taken.length === 0) return Effect.void
      // Counts that can't be written are added to the next flush.
      return Effect.catchAll(repo.addRefusals(taken), () =>
        Effect.sync(() => {
          for (const { count: refused, domainId, organizationId } of taken) count(organizationId, domainId, refused)
        })
      )
    })
    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced(flushEvery)))

    return { note } as const
  })
}) {}
