import { segmentText } from "@switchboard/domain/sms/SmsText"
import { logThrottled } from "@switchboard/services/LogThrottle"
import {
  ProviderUnavailable,
  SendDeferred,
  type SendFailure,
  type SendLease,
  SendWithdrawn
} from "@switchboard/services/messages/delivery/Provider"
import { ProviderEvents } from "@switchboard/services/providers/ProviderEvents"
import { type OutgoingSms, SmsTransport } from "@switchboard/services/sms/SmsTransport"
import { DateTime, Deferred, Duration, Effect, FiberSet, Layer, Random } from "effect"
import { storableText } from "../StorableText.js"
import { encodeSegments } from "./ConcatenatedText.js"
import { Command, decodeId, decodeShortMessage, encodeId, encodeShortMessage, type Pdu } from "./Pdu.js"
import { type BoundSession, bindSession, SmppSettings, serverName, smppServer } from "./SmppClient.js"
import { numberAddress, readDeliverSm } from "./SmppEvents.js"
import type { RequestResult, SmppSession } from "./SmppSession.js"
import { meaningOf, Status, statusCode, statusText } from "./SmppStatus.js"

/** The pause before a connection is opened again doubles from the first to the second, with jitter. */
const minBackoff = Duration.millis(500)
const maxBackoff = Duration.seconds(15)

/** A session that lasted this long starts the pauses anew. */
const stableAfter = Duration.seconds(30)

/** The pause before a later segment is sent again to a server that throttles, and the number of times. */
const throttlePause = Duration.seconds(1)
const maxThrottled = 10

/** The submit_sm of each segment. A repeat of the message has the same reference. */
export const submitBodies = ({ from, messageId, text, to }: OutgoingSms): ReadonlyArray<Buffer> =>
  encodeSegments(segmentText(text), Number.parseInt(messageId.slice(-2), 16)).map((segment) =>
    encodeShortMessage({
      ...segment,
      source: numberAddress(from),
      destination: numberAddress(to),
      registeredDelivery: 1,
      tlvs: new Map()
    })
  )

const submit = (session: SmppSession, body: Uint8Array, isWanted: () => boolean) =>
  Effect.async<RequestResult>((resume) => {
    const withdraw = session.request(Command.submitSm, body, (result) => resume(Effect.succeed(result)), isWanted)
    return Effect.sync(withdraw)
  })

/** The server responded with an error to a segment: nothing was taken. */
interface Refusal {
  readonly _tag: "Refusal"
  readonly status: number
}

/** Submits one segment; returns the server's id of it. */
const submitSegment = Effect.fnUntraced(function* (session: SmppSession, body: Uint8Array, isWanted: () => boolean) {
  const result = yield* submit(session, body, isWanted)
  switch (result._tag) {
    case "Withdrawn":
      return yield* new SendWithdrawn()
    case "Silent":
      return yield* new SendDeferred({
        smtpCode: null,
        response: "No response to submit_sm in time",
        isSilent: true,
        mayBeTaken: true
      })
    case "Lost":
      return yield* result.isWritten
        ? new SendDeferred({ smtpCode: null, response: storableText(result.reason, 255), mayBeTaken: true })
        : new ProviderUnavailable({ response: storableText(result.reason, 255) })
    case "Responded": {
      const refusal: Refusal = { _tag: "Refusal", status: result.status }
      return yield* result.status === Status.ok ? Effect.succeed(decodeId(result.body)) : Effect.fail(refusal)
    }
  }
})

/** A failure after the server accepted an earlier segment: a repeat sends that segment again. */
const afterFirst = (failure: SendFailure | Refusal): SendDeferred =>
  new SendDeferred({
    smtpCode: null,
    response: failure._tag === "Refusal" ? statusText(failure.status) : "response" in failure ? failure.response : "",
    mayBeTaken: true
  })

const isThrottled = (failure: SendFailure | Refusal): boolean =>
  failure._tag === "Refusal" && meaningOf(failure.status).kind === "throttled"

/** Submits the segments in order; returns the server's ids. */
const submitAll = Effect.fnUntraced(function* (session: SmppSession, sms: OutgoingSms, lease: SendLease) {
  const ids: Array<string> = []
  for (const body of submitBodies(sms)) {
    const sent =
      ids.length === 0
        ? submitSegment(session, body, lease.isHeld)
        : submitSegment(session, body, () => true).pipe(
            Effect.tapError((failure) => (isThrottled(failure) ? Effect.sleep(throttlePause) : Effect.void)),
            Effect.retry({ while: isThrottled, times: maxThrottled }),
            Effect.mapError(afterFirst)
          )
    ids.push(storableText(yield* sent))
  }
  return ids
})

/** The result of a send whose first segment was refused. */
const refusedReply = (to: string, status: number) => {
  const meaning = meaningOf(status)
  if (meaning.kind === "throttled" || meaning.kind === "unbound") {
    return new ProviderUnavailable({ response: statusText(status) })
  }
  const reply = { recipient: to, errorCode: statusCode(status), response: statusText(status) }
  return Effect.succeed({
    replies: [
      meaning.kind === "permanent"
        ? { ...reply, verdict: "refused" as const, reason: meaning.reason }
        : { ...reply, verdict: "deferred" as const, reason: "system" as const }
    ],
    response: null,
    providerMessageId: null
  })
}

const send = (session: SmppSession, sms: OutgoingSms, lease: SendLease) =>
  submitAll(session, sms, lease).pipe(
    Effect.map((ids) => {
      const providerMessageIds = ids.filter((id) => id !== "")
      const response = providerMessageIds.length === 0 ? "ESME_ROK" : `ESME_ROK id ${providerMessageIds.join(" ")}`
      return {
        replies: [{ recipient: sms.to, verdict: "accepted" as const, response, providerMessageIds }],
        response,
        providerMessageId: providerMessageIds[0] ?? null
      }
    }),
    Effect.catchTag("Refusal", ({ status }) => {
      // A new session may be bound again.
      if (meaningOf(status).kind === "unbound") session.unbind()
      return refusedReply(sms.to, status)
    })
  )

/** The state of the connection. */
type ConnectionState =
  | { readonly _tag: "Connecting"; readonly settled: Deferred.Deferred<void> }
  | { readonly _tag: "Bound"; readonly session: SmppSession }
  | { readonly _tag: "Down"; readonly reason: string }

/**
 * Sends texts over SMPP 3.4. One transceiver session stays bound; it also receives receipts and texts, which are
 * acknowledged when they are stored.
 */
export const SmppTransport = Layer.scoped(
  SmsTransport,
  Effect.gen(function* () {
    const settings = yield* SmppSettings
    const events = yield* ProviderEvents
    const run = yield* FiberSet.makeRuntime<never>()
    const server = smppServer(settings.url)
    const address = serverName(server)
    let state: ConnectionState = { _tag: "Connecting", settled: yield* Deferred.make<void>() }

    const change = (next: ConnectionState) =>
      Effect.suspend(() => {
        const previous = state
        state = next
        return previous._tag === "Connecting" ? Deferred.succeed(previous.settled, undefined) : Effect.void
      })

    const receive = Effect.fnUntraced(function* (session: SmppSession, request: Pdu) {
      const message = decodeShortMessage(request.body)
      if (message === null) return session.respond(request, Status.invalidCommandLength, encodeId(""))
      const event = readDeliverSm(message, DateTime.formatIso(yield* DateTime.now))
      if (event === null) yield* Effect.logWarning("A receipt can't be read", address)
      const stored = event === null ? Effect.void : events.receive(event)
      const status = yield* stored.pipe(
        Effect.as(Status.ok),
        Effect.catchAllCause((cause) =>
          Effect.as(
            logThrottled("SMPP events", Effect.logWarning("Events of the SMPP server can't be stored", cause)),
            Status.temporaryError
          )
        )
      )
      session.respond(request, status, encodeId(""))
    })

    const requested = (session: SmppSession, request: Pdu) => {
      if (request.command === Command.deliverSm) run(receive(session, request))
      else session.refuse(request)
    }

    /** Binds, and waits until the session ends; returns the reason. */
    const connection = Effect.scoped(
      Effect.gen(function* () {
        const { closed, session }: BoundSession = yield* bindSession(server, settings, requested)
        yield* change({ _tag: "Bound", session })
        yield* Effect.logInfo("Bound to the SMPP server", address)
        return yield* closed
      })
    ).pipe(Effect.catchTag("ProviderUnavailable", ({ response }) => Effect.succeed(response)))

    const keepConnected = Effect.gen(function* () {
      let failures = 0
      while (true) {
        const [lasted, ended] = yield* Effect.timed(connection)
        const reason = storableText(ended, 255)
        failures = Duration.greaterThan(lasted, stableAfter) ? 0 : failures + 1
        if (state._tag === "Bound" || failures <= 1) {
          yield* Effect.logWarning(`The SMPP server ${address} can't be used`, reason)
        }
        yield* change({ _tag: "Down", reason })
        const backoff = Duration.min(Duration.times(minBackoff, 2 ** Math.min(failures, 10)), maxBackoff)
        yield* Effect.sleep(Duration.times(backoff, yield* Random.nextRange(0.5, 1)))
      }
    })
    yield* Effect.forkScoped(keepConnected)

    const bound: Effect.Effect<SmppSession, ProviderUnavailable> = Effect.suspend(() => {
      switch (state._tag) {
        case "Connecting":
          return Effect.zipRight(Deferred.await(state.settled), bound)
        case "Bound":
          return Effect.succeed(state.session)
        case "Down":
          return new ProviderUnavailable({ response: state.reason })
      }
    })

    return {
      provider: "smpp",
      address,
      send: (sms, lease) => Effect.flatMap(bound, (session) => send(session, sms, lease)),
      probe: Effect.asVoid(bound)
    }
  })
)
