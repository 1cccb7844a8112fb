import { Command, Options } from "@effect/cli"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { makeWebhookSecret } from "@switchboard/services/webhooks/delivery/WebhookSignature"
import { Config, Console, Effect, Layer, Option, Redacted } from "effect"
import { CommandFailed } from "../run/Run.js"
import { Forwarding } from "./Forwarding.js"
import { listen } from "./Listen.js"

/** `whsec_` and at least 24 bytes in base64, as Standard Webhooks asks. */
const secretForm = /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The secret that was given, or one for this run. */
const signingSecret = Option.match({
  onSome: (given: Redacted.Redacted) =>
    secretForm.test(Redacted.value(given))
      ? Effect.succeed(given)
      : new CommandFailed({ message: "--secret must be whsec_ and at least 24 bytes in base64" }),
  onNone: () =>
    Effect.tap(makeWebhookSecret, (made) => Console.log(`Signed with ${Redacted.value(made)}  (made for this run)`))
})

const options = {
  forwardTo: Options.text("forward-to").pipe(Options.withDescription("the URL that each event is posted to")),
  url: Options.text("url").pipe(
    Options.withFallbackConfig(Config.string("SWITCHBOARD_URL")),
    Options.withDefault("http://127.0.0.1:3000"),
    Options.withDescription("the service's address, or SWITCHBOARD_URL")
  ),
  apiKey: Options.redacted("api-key").pipe(
    Options.withFallbackConfig(Config.redacted("SWITCHBOARD_API_KEY")),
    Options.withDescription("a key with webhooks.read; better in SWITCHBOARD_API_KEY, which other users can't see")
  ),
  types: Options.optional(Options.text("types")).pipe(
    Options.withDescription("names of events with commas, groups like message.*, or *; all without it")
  ),
  secret: Options.optional(Options.redacted("secret")).pipe(
    Options.withDescription("the whsec_… to sign with; one is made and shown without it")
  )
}

/** Brings the event stream to a developer's machine. */
export const listenCommand = Command.make("listen", options, ({ apiKey, forwardTo, secret, types, url }) =>
  Effect.gen(function* () {
    const signing = yield* signingSecret(secret)
    yield* Console.log(`Each event is posted to ${forwardTo}`)
    yield* listen({
      url: url.replace(/\/$/, ""),
      apiKey,
      types: Option.getOrUndefined(Option.map(types, (names) => names.split(","))),
      forwardTo,
      secret: signing
    })
  }).pipe(
    Effect.provide(Layer.merge(Forwarding, NodeHttpClient.layerUndici)),
    Effect.mapError((error) => new CommandFailed({ message: typeof error === "string" ? error : error.message }))
  )
).pipe(Command.withDescription("Posts what happens to a URL, signed as webhooks are, as long as it runs"))
