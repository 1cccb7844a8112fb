import { DnsResolverNode } from "@switchboard/channels/network/DnsResolverNode"
import { DomainChecks } from "@switchboard/services/email/domains/DomainChecks"
import { Domains } from "@switchboard/services/email/domains/Domains"
import { LocalDomains } from "@switchboard/services/email/domains/LocalDomains"
import { MailRouting } from "@switchboard/services/email/domains/MailRouting"
import { ReceivingDomains } from "@switchboard/services/email/receiving/ReceivingDomains"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { SecretBox } from "@switchboard/services/SecretBox"
import { Layer, Option } from "effect"
import type { Settings } from "../Settings.js"

/** Where mail comes in, and who sends it. */
export const MailRoutingLive = ({ mailHostname, spfInclude }: Settings) =>
  Layer.succeed(MailRouting, { mailHostname, spfInclude: Option.getOrNull(spfInclude) })

/** Looks at what name servers say of domains, and keeps it. */
export const DomainChecksLive = (settings: Settings) =>
  DomainChecks.Default.pipe(
    Layer.provideMerge(DnsResolverNode({ servers: settings.dnsServers })),
    Layer.provideMerge(MailRoutingLive(settings))
  )

/** The domains that organizations send from. */
export const DomainsLive = (settings: Settings) =>
  LocalDomains.Default.pipe(
    Layer.provideMerge(Domains.Default),
    Layer.provide(Layer.merge(ReceivingDomains.Default, Senders.Default)),
    Layer.provide(Layer.merge(DomainChecksLive(settings), SecretBox.Live))
  )
