import type { Terminal } from "@effect/platform"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { Organizations } from "@switchboard/services/organizations/Organizations"
import { LoginLinks } from "@switchboard/services/sessions/LoginLinks"
import { Effect, Layer } from "effect"
import { Storage } from "./layers/Storage.js"
import { withoutWait, withSettings } from "./run/Run.js"

/** API keys and organizations, for the API and for the commands. */
export const Administration = Layer.merge(Organizations.Default, ApiKeys.Default)

/** Runs a command that manages API keys, log-in links and organizations. */
export const administer = <A, E>(use: Effect.Effect<A, E, ApiKeys | LoginLinks | Organizations | Terminal.Terminal>) =>
  withSettings(
    withoutWait(Effect.provide(use, Layer.merge(Administration, LoginLinks.Default).pipe(Layer.provide(Storage))))
  )
