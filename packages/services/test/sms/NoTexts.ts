import { Attachments } from "@switchboard/services/attachments/Attachments"
import { NumberRepo } from "@switchboard/services/sms/NumberRepo"
import { Numbers } from "@switchboard/services/sms/Numbers"
import { SmsTransport } from "@switchboard/services/sms/SmsTransport"
import { ServiceWindowRepo } from "@switchboard/services/whatsapp/ServiceWindowRepo"
import { WhatsAppTransport } from "@switchboard/services/whatsapp/WhatsAppTransport"
import { Effect, Layer } from "effect"

const NoWindows = Layer.mock(ServiceWindowRepo, {})

/** Numbers of an installation that has none, and no files and service windows. */
export const NoNumbers = Layer.mergeAll(
  Numbers.Default.pipe(Layer.provide(Layer.mock(NumberRepo, {}))),
  NoWindows,
  Layer.succeed(
    Attachments,
    Attachments.make({
      upload: () => Effect.dieMessage("not used in this test"),
      find: () => Effect.succeed([]),
      get: () => Effect.dieMessage("not used in this test"),
      read: () => Effect.succeed([])
    })
  )
)

/** Providers that are sent no texts and no WhatsApp messages. */
export const NoTexts = Layer.mergeAll(
  Layer.mock(SmsTransport, { provider: "smpp", address: "smpp.test:2775" }),
  Layer.mock(WhatsAppTransport, { address: "whatsapp.test:443" }),
  NoWindows
)
