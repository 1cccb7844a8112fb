import { Config } from "effect"
import { httpSettings } from "./settings/HttpSettings.js"
import { checkInboundTls, inboundSettings } from "./settings/InboundSettings.js"
import { mailSettings } from "./settings/MailSettings.js"
import { retentionSettings } from "./settings/RetentionSettings.js"
import { checkS3, s3Settings } from "./settings/S3Settings.js"
import { sendingSettings } from "./settings/SendingSettings.js"
import type { Setting, SettingDoc } from "./settings/Setting.js"
import { storageSettings } from "./settings/StorageSettings.js"
import { telemetrySettings } from "./settings/TelemetrySettings.js"
import { workSettings } from "./settings/WorkSettings.js"

/** Every setting, in the order in which the table shows them. */
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

/** What operators decide, read from the environment once, at the start. */
export type Settings = Values

/** Reads and checks every setting. */
export const loadSettings: Config.Config<Settings> = Config.all(settings).pipe(
  Config.mapOrFail(checkS3),
  Config.mapOrFail(checkInboundTls)
)

/** The settings for the table of `--help` and of the README. */
export const settingDocs: ReadonlyArray<SettingDoc> = Object.values(settings).map(({ doc }) => doc)
