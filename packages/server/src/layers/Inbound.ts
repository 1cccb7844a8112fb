import { MailSealerArc } from "@switchboard/channels/email/forwarding/MailSealerArc"
import { InboundServer } from "@switchboard/channels/email/receiving/InboundServer"
import { MailAuthenticatorDns } from "@switchboard/channels/email/receiving/MailAuthenticatorDns"
import { MailReaderThread } from "@switchboard/channels/email/receiving/MailReaderThread"
import { MailThreadsNode } from "@switchboard/channels/email/receiving/MailThreads"
import { DnsResolverNode } from "@switchboard/channels/network/DnsResolverNode"
import { Blocks } from "@switchboard/services/email/blocks/Blocks"
import { Complaints } from "@switchboard/services/email/feedback/Complaints"
import { Feedback } from "@switchboard/services/email/feedback/Feedback"
import { Forwarding } from "@switchboard/services/email/forwarding/Forwarding"
import { InboundRecipients } from "@switchboard/services/email/receiving/InboundRecipients"
import { ProcessInbound } from "@switchboard/services/email/receiving/ProcessInbound"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { RefusedRecipients } from "@switchboard/services/email/receiving/RefusedRecipients"
import { Signatures } from "@switchboard/services/Signatures"
import { InboundWorker } from "@switchboard/worker/email/receiving/InboundWorker"
import { Layer } from "effect"
import type { Settings } from "../Settings.js"
import { inboundCertificate } from "../settings/InboundSettings.js"

/** Where mail comes in: it listens, so it is the API's side. */
export const Receiving = (settings: Settings) =>
  InboundServer({
    host: settings.host,
    port: settings.inboundSmtpPort,
    hostname: settings.mailHostname,
    certificate: inboundCertificate(settings)
  }).pipe(
    Layer.provide(InboundRecipients.Default),
    Layer.provide(Layer.merge(RefusedRecipients.Default, Signatures.Live))
  )

/** Reads, checks and seals mail of others, in threads of their own. */
export const Readers = ({ dnsServers, mailHostname }: Settings) =>
  Layer.merge(MailReaderThread, MailSealerArc(mailHostname)).pipe(
    Layer.provideMerge(MailAuthenticatorDns()),
    Layer.provide(MailThreadsNode()),
    Layer.provide(DnsResolverNode({ servers: dnsServers }))
  )

/** The fibers that work on mail that came in. */
export const Inbound = InboundWorker.pipe(
  Layer.provide(ProcessInbound),
  Layer.provide(Layer.mergeAll(Feedback.Default, Forwarding.Default, ReceivedMessages.Default)),
  Layer.provide(Layer.merge(Blocks.Default, Complaints.Default)),
  Layer.provide(Signatures.Live)
)
