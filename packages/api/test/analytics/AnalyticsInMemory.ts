import { Analytics } from "@switchboard/services/analytics/Analytics"
import { EmailStatistics } from "@switchboard/services/email/stats/EmailStatistics"
import { WhatsAppStatistics } from "@switchboard/services/whatsapp/WhatsAppStatistics"
import { Layer } from "effect"
import { countsInMemory, countsOf } from "../../../services/test/analytics/CountsInMemory.js"

/** Some counts, the same for everybody. */
export const analyticsInMemory = () =>
  Layer.mergeAll(Analytics.Default, EmailStatistics.Default, WhatsAppStatistics.Default).pipe(
    Layer.provide(
      countsInMemory(
        [
          countsOf({ accepted: 4, sent: 4, delivered: 3, bounced: 1, cost: "0.0016" }),
          countsOf({ channel: "whatsapp", received: 2 })
        ],
        [{ country: "DE", region: "Berlin", phone: null, count: 4 }]
      )
    )
  )
