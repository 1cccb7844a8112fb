import { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { MailRouting } from "@switchboard/services/email/domains/DomainRepo"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { Senders } from "@switchboard/services/email/senders/Senders"
import type { DnsResolver } from "@switchboard/services/network/DnsResolver"
import { MasterKey, SecretBox } from "@switchboard/services/SecretBox"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Effect, Layer, Redacted } from "effect"

/** Checks of earlier files' domains are not due. */
const NoDueDomains = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE email_domains SET next_check_at = '2200-01-01'`)
)

/** Domains and their keys, on the shared database. */
export const domainsLive = (
  dns: Layer.Layer<DnsResolver>,
  invalidateSenders: (organization: OrganizationId) => Effect.Effect<void> = () => Effect.void
) =>
  Layer.mergeAll(Domains.Default, SigningKeys.Default).pipe(
    Layer.provide(Layer.mock(Senders, { _tag: "services/Senders", invalidate: invalidateSenders })),
    Layer.provideMerge(DomainChecks.Default),
    Layer.provideMerge(Layer.mergeAll(dns, SecretBox.Live, NoDueDomains)),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))),
    Layer.provideMerge(
      Layer.succeed(MailRouting, {
        mailHostname: "mail.switchboard.test",
        spfInclude: null,
        publicHost: "links.example.net"
      })
    ),
    Layer.provideMerge(StoreLive)
  )
