import { Config, Context, Effect, Layer } from "effect"
import { httpSettings } from "./HttpSettings.js"
import { checkInboundTls, inboundSettings } from "./InboundSettings.js"
import { mailSettings } from "./MailSettings.js"
import { retentionSettings } from "./RetentionSettings.js"
import { checkS3, s3Settings } from "./S3Settings.js"
import { sendingSettings } from "./SendingSettings.js"
import type { Setting, SettingDoc } from "./Setting.js"
import { storageSettings } from "./StorageSettings.js"
import { telemetrySettings } from "./TelemetrySettings.js"
import { workSettings } from "./WorkSettings.js"

/** All settings, in the order of docs/settings.md. */
const settings = {
  ...httpSettings,
  ...storageSettings,
  ...mailSettings,
  ...inboundSettings,
  ...sendingSettings,
  ...workSettings,
  ...retentionSettings,
  ...s3Settings,
  ...telemetrySettings
}

type Values = { readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer A> ? A : never }

/** Reads and validates all settings. */
const load: Config.Config<Values> = Config.all(settings).pipe(
  Config.mapOrFail(checkS3),
  Config.mapOrFail(checkInboundTls)
)

/** The settings of the process, read from the environment once at the start. */
export class Settings extends Context.Tag("server/Settings")<Settings, Values>() {
  static readonly Live = Layer.effect(Settings, load)

  /** A layer that depends on the settings. */
  static readonly layer = <A, E, R>(make: (settings: Values) => Layer.Layer<A, E, R>) =>
    Layer.unwrapEffect(Effect.map(Settings, make))
}

/** The description of every setting, for `--help` and docs/settings.md. */
export const settingDocs: ReadonlyArray<SettingDoc> = Object.values(settings).map(({ doc }) => doc)
