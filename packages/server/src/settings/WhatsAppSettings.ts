import { Config, ConfigError, Either, Option, Redacted } from "effect"
import { secretSetting, setting, wholeNumber } from "./Setting.js"
import { optional, url, withDefault } from "./SettingValues.js"

const defaultApiUrl = "https://graph.facebook.com/v23.0"

const secret = (text: string) => Either.right(Redacted.make(text))

/** The WhatsApp Cloud API. */
export const whatsappSettings = {
  whatsappApiUrl: secretSetting(
    "WHATSAPP_API_URL",
    { type: "URL", default: defaultApiUrl, meaning: "WhatsApp Cloud API, with its version" },
    url(["http:", "https:"])
  ),
  handsetHttpPort: setting(
    "HANDSET_HTTP_PORT",
    {
      type: "port",
      default: "0",
      meaning: "HTTP port of the local handset, on loopback, which stands in for the Cloud API; 0: a free port"
    },
    withDefault(wholeNumber(0, 65_535), 0)
  ),
  whatsappToken: secretSetting(
    "WHATSAPP_TOKEN",
    {
      type: "text",
      default: "the local handset, if it runs",
      meaning: "access token of the WhatsApp Cloud API; the next three are then required"
    },
    secret
  ),
  whatsappPhoneNumberId: setting(
    "WHATSAPP_PHONE_NUMBER_ID",
    { type: "text", default: "none", meaning: "Meta's id of the number that sends WhatsApp messages" },
    optional(Config.nonEmptyString)
  ),
  whatsappAppSecret: secretSetting(
    "WHATSAPP_APP_SECRET",
    { type: "text", default: "none", meaning: "secret of the Meta app, with which callbacks are signed" },
    secret
  ),
  whatsappVerifyToken: secretSetting(
    "WHATSAPP_VERIFY_TOKEN",
    { type: "text", default: "none", meaning: "text by which Meta checks the callback URL" },
    secret
  )
}

/** The settings of the Cloud API. */
interface WhatsAppSettings {
  readonly whatsappApiUrl: Option.Option<Redacted.Redacted<string>>
  readonly whatsappToken: Option.Option<Redacted.Redacted<string>>
  readonly whatsappPhoneNumberId: Option.Option<string>
  readonly whatsappAppSecret: Option.Option<Redacted.Redacted<string>>
  readonly whatsappVerifyToken: Option.Option<Redacted.Redacted<string>>
}

/** The account at the Cloud API; none if the local handset stands in, or if WhatsApp is not used. */
export const cloudApi = (settings: WhatsAppSettings) =>
  Option.all({
    token: settings.whatsappToken,
    phoneNumberId: settings.whatsappPhoneNumberId,
    appSecret: settings.whatsappAppSecret,
    verifyToken: settings.whatsappVerifyToken
  }).pipe(
    Option.map((account) => ({
      ...account,
      url: Option.match(settings.whatsappApiUrl, { onNone: () => defaultApiUrl, onSome: Redacted.value })
    }))
  )

/** Fails if only a part of the account is configured: messages would silently go to the local handset. */
export const checkWhatsApp = <A extends WhatsAppSettings>(settings: A): Either.Either<A, ConfigError.ConfigError> => {
  const needed: Readonly<Record<string, Option.Option<unknown>>> = {
    WHATSAPP_TOKEN: settings.whatsappToken,
    WHATSAPP_PHONE_NUMBER_ID: settings.whatsappPhoneNumberId,
    WHATSAPP_APP_SECRET: settings.whatsappAppSecret,
    WHATSAPP_VERIFY_TOKEN: settings.whatsappVerifyToken
  }
  const missing = Object.entries(needed).flatMap(([name, value]) => (Option.isNone(value) ? [name] : []))
  return missing.length > 0 && missing.length < 4
    ? Either.left(ConfigError.MissingData([missing.join(", ")], "must be set if another WHATSAPP_ setting is set"))
    : Either.right(settings)
}
