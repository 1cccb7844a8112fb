import { MailReaderThread } from "@switchboard/channels/email/receiving/MailReaderThread"
import { MailThreadsNode } from "@switchboard/channels/email/receiving/MailThreads"
import { Complaints } from "@switchboard/services/email/feedback/Complaints"
import { Feedback } from "@switchboard/services/email/feedback/Feedback"
import { ProcessInbound } from "@switchboard/services/email/receiving/ProcessInbound"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { Signatures } from "@switchboard/services/Signatures"
import { Layer } from "effect"
import { ObjectStoreLive } from "./Objects.js"
import type { Settings } from "./Settings.js"

/** What is done with mail that came in. */
export const ProcessInboundLive = (settings: Settings) =>
  ProcessInbound.pipe(
    Layer.provide(Feedback.Default.pipe(Layer.provide(Complaints.Default))),
    Layer.provide(ReceivedMessages.Default.pipe(Layer.provide(ObjectStoreLive(settings)))),
    Layer.provide(Signatures.Live),
    Layer.provide(MailReaderThread),
    Layer.provide(MailThreadsNode())
  )
