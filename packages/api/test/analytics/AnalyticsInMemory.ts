import type { Message } from "@switchboard/domain/messages/Message"
import { Analytics } from "@switchboard/services/analytics/Analytics"
import { Exports } from "@switchboard/services/analytics/Exports"
import { EmailStatistics } from "@switchboard/services/email/stats/EmailStatistics"
import { countsInMemory, countsOf } from "@switchboard/services/testing/analytics/CountsInMemory"
import { exportsInMemory } from "@switchboard/services/testing/analytics/ExportsInMemory"
import { WhatsAppStatistics } from "@switchboard/services/whatsapp/WhatsAppStatistics"
import { Layer } from "effect"

/** Statistics of the same counts for every organization. */
export const analyticsInMemory = (messages: ReadonlyArray<Message>) =>
  Layer.mergeAll(Analytics.Default, EmailStatistics.Default, Exports.Default, WhatsAppStatistics.Default).pipe(
    Layer.provide(exportsInMemory(messages)),
    Layer.provide(
      countsInMemory(
        [
          countsOf({ accepted: 4, sent: 4, delivered: 3, bounced: 1, cost: "0.0016" }),
          countsOf({ channel: "whatsapp", received: 2 })
        ],
        [{ country: "DE", region: "Berlin", count: 4 }]
      )
    )
  )
