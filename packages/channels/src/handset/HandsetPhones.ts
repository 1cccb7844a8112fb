import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { segmentText } from "@switchboard/domain/sms/SmsText"
import { HandsetPhone, type PhoneText } from "@switchboard/services/handset/HandsetPhone"
import { Context, Duration, Effect, Layer, type Option, Random, Redacted } from "effect"
import { encodeSegments } from "../sms/ConcatenatedText.js"
import { Command, encodeShortMessage } from "../sms/Pdu.js"
import { bindSession } from "../sms/SmppClient.js"
import { numberAddress } from "../sms/SmppEvents.js"
import type { RequestResult, SmppSession } from "../sms/SmppSession.js"
import { Status, statusText } from "../sms/SmppStatus.js"
import { makeHandsetCallbacks } from "./HandsetCallbacks.js"
import { type HandsetAddress, phoneSystemId } from "./HandsetServer.js"

const timeout = Duration.seconds(2)

const retryAfterSeconds = 1

const unavailable = (reason: string) =>
  new ServiceUnavailableError({ message: `The text can't be delivered now: ${reason}`, retryAfterSeconds })

/** Submits a segment; fails if the service does not acknowledge it. */
const submit = (session: SmppSession, body: Uint8Array) =>
  Effect.async<RequestResult>((resume) => {
    const withdraw = session.request(Command.submitSm, body, (result) => resume(Effect.succeed(result)))
    return Effect.sync(withdraw)
  }).pipe(
    Effect.flatMap((result) => {
      if (result._tag !== "Responded") return unavailable("the local handset did not respond")
      return result.status === Status.ok ? Effect.void : unavailable(statusText(result.status))
    })
  )

/**
 * The address of the local handset. The process that listens sets it; a process without a worker takes it from the
 * settings.
 */
export class HandsetDestination extends Context.Tag("channels/HandsetDestination")<
  HandsetDestination,
  {
    readonly get: Effect.Effect<Option.Option<typeof HandsetAddress.Service>>
    readonly set: (address: typeof HandsetAddress.Service) => Effect.Effect<void>
  }
>() {}

/** Phones that send each text over a new SMPP session to the local handset, and each WhatsApp message by a callback. */
export const HandsetPhones = Layer.scoped(
  HandsetPhone,
  Effect.gen(function* () {
    const destination = yield* HandsetDestination
    const callbacks = yield* makeHandsetCallbacks
    const server = Effect.map(
      Effect.mapError(Effect.flatten(destination.get), () => unavailable("the local handset is not listening")),
      (address) => ({ ...address, isTls: false, systemId: phoneSystemId, password: Redacted.make("") })
    )
    const options = { bindTimeout: timeout, limits: { responseTimeout: timeout } }
    const sendText = ({ from, text, to }: PhoneText) =>
      Effect.gen(function* () {
        const segments = encodeSegments(segmentText(text), yield* Random.nextIntBetween(0, 256))
        const { session } = yield* bindSession(yield* server, options, (bound, request) => bound.refuse(request))
        const addresses = { source: numberAddress(from), destination: numberAddress(to) }
        for (const segment of segments) {
          const message = { ...segment, ...addresses, registeredDelivery: 0, tlvs: new Map<number, Uint8Array>() }
          yield* submit(session, encodeShortMessage(message))
        }
      }).pipe(
        Effect.scoped,
        Effect.catchTag("ProviderUnavailable", ({ response }) => unavailable(response))
      )

    /** The person has read the message before the answer. */
    const sendMessage = ({ answers, file, from, text, to }: PhoneText) =>
      Effect.gen(function* () {
        yield* callbacks.status({ id: answers, status: "read", from: to, to: from })
        yield* callbacks.message({ answers, file, from, text, to })
      }).pipe(Effect.catchTag("CallbackFailed", ({ reason }) => unavailable(reason)))

    return { send: (text) => (text.channel === "sms" ? sendText(text) : sendMessage(text)) }
  })
)
