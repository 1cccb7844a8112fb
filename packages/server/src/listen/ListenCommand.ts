import { Command, Options } from "@effect/cli"
import { makeWebhookSecret } from "@switchboard/services/webhooks/delivery/SignedPost"
import { Console, Effect, Option, Redacted } from "effect"
import { apiKeyOption, keyRemedy, serviceAccess, urlOption } from "../access/ServiceAccess.js"
import { textOption } from "../ReadArguments.js"
import { CommandFailed } from "../run/Run.js"

const permission = "webhooks.read"

/** `whsec_` and at least 24 bytes in base64, as Standard Webhooks requires. */
const secretPattern = /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The secret of `--secret`, or one for this run. */
const signingSecret = Option.match({
  onSome: (secret: Redacted.Redacted) =>
    secretPattern.test(Redacted.value(secret))
      ? Effect.succeed(secret)
      : new CommandFailed({ message: "--secret must be whsec_ and at least 24 bytes in base64" }),
  onNone: () =>
    Effect.tap(makeWebhookSecret, (made) =>
      Console.log(`Signed with ${Redacted.value(made)}  (generated for this run)`)
    )
})

const options = {
  forwardTo: textOption("forward-to", "URL", "URL to which each event is posted"),
  url: urlOption,
  apiKey: apiKeyOption(permission),
  types: Options.optional(
    textOption("types", "NAMES", "comma-separated names of events, or groups like message.*; default: all")
  ),
  secret: Options.redacted("secret").pipe(
    Options.withPseudoName("SECRET"),
    Options.withDescription("signing secret (whsec_…); default: generated and printed"),
    Options.optional
  )
}

const messageOf = (error: string | { readonly _tag: string; readonly message: string }): string => {
  if (typeof error === "string") return error
  return error._tag === "UnauthorizedError" || error._tag === "ForbiddenError"
    ? `${error.message}: ${keyRemedy(permission)}`
    : error.message
}

const loadListen = Effect.promise(() => import("./Listen.js").then(({ listen }) => listen))

/** Forwards the event stream to a URL, for developers. */
export const listenCommand = Command.make("listen", options, ({ forwardTo, secret, types, ...given }) =>
  Effect.gen(function* () {
    const access = yield* serviceAccess(given, permission)
    const signing = yield* signingSecret(secret)
    yield* Console.log(`Each event is posted to ${forwardTo}`)
    const listen = yield* loadListen
    yield* listen({
      ...access,
      types: Option.getOrUndefined(Option.map(types, (names) => names.split(","))),
      forwardTo,
      secret: signing
    })
  }).pipe(Effect.mapError((error) => new CommandFailed({ message: messageOf(error) })))
).pipe(Command.withDescription("Posts events to a URL as signed webhooks until it is stopped"))
