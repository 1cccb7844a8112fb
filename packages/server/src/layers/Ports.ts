import { join } from "node:path"
import * as RateLimiter from "@effect/experimental/RateLimiter"

import { HandsetCallbackTarget } from "@switchboard/channels/handset/HandsetCallbacks"
import { HandsetDestination, HandsetPhones } from "@switchboard/channels/handset/HandsetPhones"

import { InboundDestination, SmtpInjectorNode } from "@switchboard/channels/mailbox/SmtpInjectorNode"
import { DestinationGuardNode } from "@switchboard/channels/network/DestinationGuardNode"
import { DnsResolverNode } from "@switchboard/channels/network/DnsResolverNode"
import { ObjectFiles, ObjectsFolder } from "@switchboard/channels/objects/ObjectFiles"
import { ObjectsS3 } from "@switchboard/channels/objects/ObjectsS3"
import { S3Bucket } from "@switchboard/channels/objects/S3Requests"
import { memoryRateLimits, redisRateLimits } from "@switchboard/channels/rateLimits/RateLimitStores"
import { RedisUrl } from "@switchboard/channels/rateLimits/RedisConnection"
import { SandboxCarrier } from "@switchboard/channels/voice/SandboxCarrier"
import { WebhookHttp } from "@switchboard/channels/webhooks/WebhookHttp"
import { DirectUploads } from "@switchboard/services/objects/DirectUploads"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { whatsappCallbackPath } from "@switchboard/services/providers/ProviderCallbacks"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { SecretBox, Signatures } from "@switchboard/services/SecretBox"
import { Deferred, Effect, Layer, Option, Redacted, Ref } from "effect"
import { Parts } from "../run/Parts.js"
import { handsetPort, loopback, ServiceSettings } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"
import { s3Bucket } from "../settings/StorageSettings.js"
import { MasterKeyClaimed, MasterKeyLive } from "./MasterKeyLive.js"
import { Storage } from "./Storage.js"

/** The object store: the S3 bucket, or files in `DATA_DIR`. Direct uploads require S3. */
export const ObjectStoreLive = Settings.layer((settings) =>
  Option.match(s3Bucket(settings), {
    onNone: () =>
      Layer.merge(
        Layer.provide(ObjectFiles, Layer.succeed(ObjectsFolder, join(settings.dataDir, "objects"))),
        Layer.succeed(DirectUploads, Option.none())
      ),
    onSome: (bucket) => Layer.provide(ObjectsS3, Layer.succeed(S3Bucket, bucket))
  })
)

/** Token buckets of this process alone. */
export const OwnRateLimits = RateLimits.Default.pipe(Layer.provide(RateLimiter.layer), Layer.provide(memoryRateLimits))

/** Token buckets in memory, or shared in Redis; API and worker of a process use the same buckets. */
const RateLimitsLive = RateLimits.Default.pipe(
  Layer.provideMerge(RateLimiter.layer),
  Layer.provide(
    Settings.layer(({ redisUrl }) =>
      Option.match(redisUrl, {
        onNone: () => memoryRateLimits,
        onSome: (url) => Layer.provide(redisRateLimits, Layer.succeed(RedisUrl, url))
      })
    )
  )
)

/** The SMTP address for incoming mail. Set when the API listens; a worker without API takes it from the settings. */
const InboundDestinationLive = Layer.effect(
  InboundDestination,
  Effect.gen(function* () {
    const { host, inboundSmtpPort: port } = yield* Settings
    const { api } = yield* Parts
    const address = yield* Ref.make(api || port === 0 ? Option.none() : Option.some({ host, port }))
    return { get: Ref.get(address), set: (destination) => Ref.set(address, Option.some(destination)) }
  })
)

/** The address of the local handset. Set when it listens; an API without worker takes it from the settings. */
const HandsetDestinationLive = Layer.effect(
  HandsetDestination,
  Effect.gen(function* () {
    const port = Option.filter(handsetPort(yield* Settings), (one) => one !== 0)
    const { worker } = yield* Parts
    const address = yield* Ref.make(worker ? Option.none() : Option.map(port, (one) => ({ host: loopback, port: one })))
    return { get: Ref.get(address), set: (destination) => Ref.set(address, Option.some(destination)) }
  })
)

/**
 * Where the local handset posts callbacks: to the listener of this process, or to `PUBLIC_URL` without the API. All
 * processes with the master key have the secret.
 */
const HandsetCallbackTargetLive = Layer.effect(
  HandsetCallbackTarget,
  Effect.gen(function* () {
    const { sign } = yield* Signatures
    const { api } = yield* Parts
    const base = yield* Deferred.make<string>()
    const listens = (baseUrl: string) => Effect.asVoid(Deferred.succeed(base, baseUrl))
    if (!api) yield* listens(yield* PublicUrl)
    return {
      url: Effect.map(Deferred.await(base), (url) => `${url}${whatsappCallbackPath}`),
      listens,
      appSecret: Redacted.make(sign("handset", "whatsapp"))
    }
  })
)

/** The ports that the API and the worker share. Fails with another master key than that of the first start. */
export const Ports = Layer.mergeAll(
  DnsResolverNode,
  WebhookHttp.pipe(Layer.provideMerge(DestinationGuardNode)),
  ObjectStoreLive,
  RateLimitsLive,
  SandboxCarrier,
  SmtpInjectorNode.pipe(Layer.provideMerge(InboundDestinationLive)),
  HandsetPhones.pipe(Layer.provideMerge(Layer.merge(HandsetCallbackTargetLive, HandsetDestinationLive)))
).pipe(
  Layer.provideMerge(MasterKeyClaimed),
  Layer.provideMerge(Layer.merge(SecretBox.Live, Signatures.Live)),
  Layer.provideMerge(MasterKeyLive),
  Layer.provideMerge(Layer.merge(Storage, ServiceSettings))
)
