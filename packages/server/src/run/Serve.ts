import { HttpServer } from "@effect/platform"
import { Serving, type ServingPhase } from "@switchboard/api/http/HttpContext"
import { InboundAddress, InboundServer } from "@switchboard/channels/email/receiving/InboundServer"
import { SubmissionPorts, SubmissionServer } from "@switchboard/channels/email/submission/SubmissionServer"
import { HandsetCallbackTarget } from "@switchboard/channels/handset/HandsetCallbacks"
import { InboundDestination } from "@switchboard/channels/mailbox/SmtpInjectorNode"
import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { InboundRecipients, RefusedRecipients } from "@switchboard/services/email/receiving/addresses/InboundRecipients"
import { Submissions } from "@switchboard/services/email/submission/Submissions"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Array, Context, Duration, Effect, Layer, Option, Ref, Scope } from "effect"
import { MetricsServer } from "../http/Health.js"
import { HttpListener } from "../http/HttpListener.js"
import { Ports } from "../layers/Ports.js"
import { UseCases } from "../layers/UseCases.js"
import { MailReading, Work } from "../layers/Work.js"
import { printLoginLink } from "../login/LoginLinkCommand.js"
import { leave, MetricsResponder, stopRequested } from "../processes/Supervised.js"
import { isLoopback, listenerUrl } from "../settings/BaseUrl.js"
import { Settings, warnOfUnknownVariables } from "../settings/Settings.js"
import { ExportedMetrics } from "../telemetry/Otlp.js"
import { firstStart } from "./FirstStart.js"
import { announce, isJsonOutput, Parts } from "./Parts.js"

/** The time after `SHUTDOWN_GRACE` for closing connections and the embedded database. */
export const closeTimeout = Duration.seconds(5)

/**
 * Like `Effect.scoped`, with a timeout for closing the scope: a hanging database or relay must not block the stop of the
 * process. Queue entries that could not be released become ready when their leases expire.
 */
const scopedWithin =
  (timeout: Duration.Duration) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) => Scope.extend(effect, scope),
      (scope, exit) =>
        Scope.close(scope, exit).pipe(
          Effect.disconnect,
          Effect.interruptible,
          Effect.timeoutOption(timeout),
          Effect.tap((ended) =>
            Option.isNone(ended)
              ? Effect.logWarning(
                  `The process did not close all resources within ${Duration.format(timeout)} and stops without them`
                )
              : Effect.void
          )
        )
    )

/** The SMTP server for incoming mail. */
const Receiving = InboundServer.pipe(Layer.provide(InboundRecipients.Default), Layer.provide(RefusedRecipients.Default))

/** The SMTP servers for mail of programs. */
const Submission = SubmissionServer.pipe(Layer.provide(Submissions.Default), Layer.provide(MailReading))

/** The first API key, if BOOTSTRAP_API_KEY is set and this start created it. */
class KnownFirstKey extends Context.Tag("server/KnownFirstKey")<KnownFirstKey, Option.Option<ApiKeyId>>() {}

/** With BOOTSTRAP_API_KEY, the first start runs before the port opens: clients already have the key. */
const KnownKeyStart = Layer.effect(
  KnownFirstKey,
  Effect.gen(function* () {
    const { bootstrapApiKey } = yield* Settings
    return Option.isSome(bootstrapApiKey) ? yield* firstStart(yield* PublicUrl) : Option.none()
  })
)

/** The addresses of the API and of the SMTP server for incoming mail; none in a process without the API. */
export class Addresses extends Context.Tag("server/Addresses")<
  Addresses,
  Option.Option<{ readonly baseUrl: string; readonly inbound: InboundAddress["Type"] }>
>() {}

/** Prints the addresses of the service. A generated first key is created last, when nothing else can fail. */
const Started = Layer.effect(
  Addresses,
  Effect.gen(function* () {
    const { bootstrapApiKey, host, publicUrl, smtpUrl } = yield* Settings
    const { address } = yield* HttpServer.HttpServer
    const ownUrl = address._tag === "TcpAddress" ? listenerUrl(host, address.port) : yield* PublicUrl
    const baseUrl = Option.isNone(publicUrl) ? ownUrl : yield* PublicUrl
    yield* Effect.flatMap(HandsetCallbackTarget, ({ listens }) => listens(ownUrl))
    const inbound = yield* InboundAddress
    yield* Effect.flatMap(InboundDestination, ({ set }) => set(inbound))
    yield* announce(`Switchboard receives mail on ${inbound.host}:${inbound.port}`)
    const submission = yield* SubmissionPorts
    yield* Effect.forEach(Array.getSomes([submission.port, submission.tlsPort]), (port) =>
      announce(`Programs submit mail to ${submission.host}:${port}`)
    )
    if (Option.isNone(smtpUrl)) yield* announce("All mail stays in the local mailbox, since SMTP_URL is not set")
    const firstKey = yield* Option.isNone(bootstrapApiKey) ? firstStart(baseUrl) : KnownFirstKey
    if (Option.isSome(firstKey) && isLoopback(host)) {
      yield* Effect.if(isJsonOutput, {
        onTrue: () => announce('Run "switchboard login-link" for a link to the console'),
        onFalse: () => printLoginLink(baseUrl, firstKey.value)
      })
    }
    yield* announce(`Switchboard serves ${baseUrl} (API documentation: ${baseUrl}/v1/docs)`)
    return Option.some({ baseUrl, inbound })
  })
)

const Api = Started.pipe(
  Layer.provide(Receiving),
  Layer.provide(Submission),
  Layer.provide(HttpListener),
  Layer.provide(KnownKeyStart),
  Layer.provide(UseCases)
)

const Delivering = Layer.effect(Addresses, Effect.as(announce("Switchboard delivers (worker)"), Option.none()))

/** The parts of the process. Layers stop in reverse order: the API, then the worker, then the ports. */
export const Service = Layer.unwrapEffect(
  Effect.map(Parts, ({ api, worker }) =>
    (api ? Api : Delivering).pipe(
      Layer.provide(Layer.merge(MetricsServer, ExportedMetrics)),
      Layer.provide(worker ? Work : Layer.empty)
    )
  )
).pipe(Layer.provide(Layer.merge(Ports, Layer.effect(Serving, Ref.make<ServingPhase>("serving")))))

/** Runs the service until it is interrupted, or until its supervisor sends `Stop`. */
export const serve = Effect.flatMap(Settings, ({ shutdownGrace }) =>
  Effect.zipRight(warnOfUnknownVariables, Layer.build(Layer.merge(Service, MetricsResponder))).pipe(
    Effect.zipRight(stopRequested),
    scopedWithin(Duration.sum(shutdownGrace, closeTimeout)),
    Effect.zipRight(leave)
  )
)
