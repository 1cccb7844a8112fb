import { PgClient } from "@effect/sql-pg"
import { defaultRetrySchedule } from "@switchboard/domain/RetrySchedule"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { TemplateRepo } from "@switchboard/services/email/templates/TemplateRepo"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Compose } from "@switchboard/services/messages/compose/Compose"
import { Deliveries } from "@switchboard/services/messages/delivery/Deliveries"
import { DeliveryQueues } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { DeliveryConfirmation, type MailTransport } from "@switchboard/services/messages/delivery/MailTransport"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Messages } from "@switchboard/services/messages/Messages"
import { SendSettings } from "@switchboard/services/messages/SendContext"
import type { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { NothingPaused } from "@switchboard/services/testing/queues/NothingPaused"
import { NoNumbers, NoTexts } from "@switchboard/services/testing/sms/NoTexts"
import { ConversationRepoSql } from "@switchboard/store/conversations/ConversationRepoSql"
import { SenderRepoSql } from "@switchboard/store/email/senders/SenderRepoSql"
import { DeliveryQueuesSql } from "@switchboard/store/messages/DeliveryQueueSql"
import { MessageRepoSql } from "@switchboard/store/messages/MessageRepoSql"
import { OrganizationRepoSql } from "@switchboard/store/organizations/OrganizationRepoSql"
import { ParticipantRepoSql } from "@switchboard/store/participants/ParticipantRepoSql"
import { OptOutRepoSql } from "@switchboard/store/sms/OptOutRepoSql"
import { DeliveryWorker } from "@switchboard/worker/messages/DeliveryWorker"
import { WorkerConfig } from "@switchboard/worker/QueueWork"
import {
  BigDecimal,
  type Context,
  Deferred,
  Duration,
  Effect,
  Fiber,
  Layer,
  Logger,
  LogLevel,
  Random,
  Redacted,
  Stream
} from "effect"
import type { Pool } from "pg"
import { SimulatedClock } from "./SimulatedClock.js"

const SendSettingsLive = Layer.succeed(SendSettings, {
  dedupeWindow: Duration.minutes(1),
  emailUnitCost: BigDecimal.unsafeFromString("0"),
  smsUnitCost: BigDecimal.unsafeFromString("0"),
  whatsappUnitCost: BigDecimal.unsafeFromString("0"),
  retrySchedule: defaultRetrySchedule
})

const NoLimits = Layer.succeed(
  RateLimits,
  RateLimits.make({
    request: () => Effect.succeed(null),
    send: () => Effect.succeed(null),
    refundSend: () => Effect.void,
    requestLimit: 0
  })
)

/** The layer that accepts messages, as in the API. */
const Api = Messages.Default.pipe(
  Layer.provide(Layer.mergeAll(Senders.Default, Compose.Default, Templates.Default, NoNumbers)),
  Layer.provide(Layer.mergeAll(Layer.mock(TemplateRepo, {}), Layer.mock(DomainRepo, {}), NoLimits, SendSettingsLive)),
  Layer.provide(Layer.mergeAll(SenderRepoSql, ConversationRepoSql, ParticipantRepoSql, MessageRepoSql, OptOutRepoSql)),
  Layer.provideMerge(OrganizationRepoSql)
)

/** No notifications: ready entries are found by polling. */
const Queue = Layer.effect(
  DeliveryQueues,
  Effect.map(DeliveryQueues, ({ email, sms, whatsapp }) => ({
    email: { ...email, woken: Stream.never },
    sms: { ...sms, woken: Stream.never },
    whatsapp: { ...whatsapp, woken: Stream.never }
  }))
).pipe(Layer.provide(DeliveryQueuesSql))

/** The layer that delivers messages, as in a worker. */
const worker = (name: string, transport: Layer.Layer<MailTransport>) =>
  DeliveryWorker.pipe(
    Layer.provide(Deliveries.Default),
    Layer.provide(Layer.mergeAll(OutgoingMails.Default, ProviderBreakers.Default, transport, NoTexts, Queue)),
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(SigningKeys, SigningKeys.make({ signingKeyOf: () => Effect.succeedNone })),
        Layer.succeed(DeliveryConfirmation, "accept"),
        Layer.succeed(PublicUrl, "http://localhost"),
        Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32))))),
        SendSettingsLive,
        NothingPaused,
        Layer.succeed(WorkerConfig, {
          worker: name,
          concurrency: 4,
          batch: 10,
          idle: Duration.seconds(1),
          lease: Duration.seconds(30),
          grace: Duration.seconds(5)
        })
      )
    )
  )

/** The parameters of a process. */
export interface ProcessOptions {
  readonly kind: "api" | "worker"
  readonly name: string
  readonly now: () => number
  readonly seed: string
  readonly poolOf: (process: SimulatedProcess) => Pool
  readonly transportOf: (isAlive: () => boolean) => Layer.Layer<MailTransport>
}

/** The services that accept messages. */
type ApiServices = Messages | OrganizationRepo

/** A process of the service, with its own clock, connections and random numbers. Ends by a kill or a stop. */
export class SimulatedProcess {
  readonly kind: "api" | "worker"
  readonly name: string
  readonly clock: SimulatedClock
  isAlive = true
  isPaused = false
  private readonly random: Random.Random

  constructor(private readonly options: ProcessOptions) {
    this.kind = options.kind
    this.name = options.name
    this.clock = new SimulatedClock(options.now)
    this.random = Random.make(`${options.name}/${options.seed}`)
  }

  /** Pauses the process: no timer ends, and no statement is sent. */
  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  /** Runs an effect in this process. */
  private run<A, E>(effect: Effect.Effect<A, E>) {
    return effect.pipe(
      Effect.withClock(this.clock),
      Effect.withRandom(this.random),
      // Waits for the database have a real-time timeout.
      Effect.locally(requestDeadline, new RequestDeadline(1_000_000_000)),
      Logger.withMinimumLogLevel(LogLevel.None),
      Effect.forkDaemon
    )
  }

  private launch<A, R>(layer: Layer.Layer<A, never, R>, database: Layer.Layer<R>, use: Effect.Effect<never, never, A>) {
    return this.run(Effect.provide(use, Layer.provide(layer, database)))
  }

  /** Starts the services that accept messages; returns a function that runs an effect with them. */
  api() {
    return Effect.gen(this, function* () {
      const services = yield* Deferred.make<Context.Context<ApiServices>>()
      const started = Effect.flatMap(Effect.context<ApiServices>(), (found) => Deferred.succeed(services, found))
      yield* this.launch(Api, this.database(), Effect.zipRight(started, Effect.never))
      return <A, E>(use: Effect.Effect<A, E, ApiServices>) =>
        this.run(Effect.flatMap(Deferred.await(services), (found) => Effect.provide(use, found)))
    })
  }

  /** Starts the services that deliver messages; returns an effect that stops them. */
  worker() {
    const { name, transportOf } = this.options
    const delivery = worker(
      name,
      transportOf(() => this.isAlive)
    )
    return Effect.map(this.launch(delivery, this.database(), Effect.never), Fiber.interruptFork)
  }

  private database() {
    return Layer.orDie(PgClient.layerFromPool({ acquire: Effect.succeed(this.options.poolOf(this)) }))
  }
}
