import { NumberRepo } from "@switchboard/services/sms/NumberRepo"
import { Numbers } from "@switchboard/services/sms/Numbers"
import { SmsTransport } from "@switchboard/services/sms/SmsTransport"
import { Layer } from "effect"

/** Numbers of an installation that has none. */
export const NoNumbers = Numbers.Default.pipe(Layer.provide(Layer.mock(NumberRepo, {})))

/** A provider that is sent no texts. */
export const NoTexts = Layer.mock(SmsTransport, { provider: "smpp", address: "smpp.test:2775" })
