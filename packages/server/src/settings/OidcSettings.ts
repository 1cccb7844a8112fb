import { Config, ConfigError, Either, Option, Redacted } from "effect"
import { isLoopback } from "./BaseUrl.js"
import { parsed, secretSetting, setting } from "./Setting.js"
import { optional, url } from "./SettingValues.js"

/** An issuer. The secret and the code of a log-in leave this machine over TLS only. */
const issuer = (text: string) =>
  Either.flatMap(Either.map(url(["https:", "http:"])(text), Redacted.value), (value) => {
    const { hash, hostname, password, protocol, search, username } = new URL(value)
    if (`${hash}${search}${username}${password}` !== "")
      return Either.left("must be a URL without query or credentials")
    return protocol === "https:" || isLoopback(hostname.replace(/^\[|\]$/g, ""))
      ? Either.right(value)
      : Either.left("must be a URL that begins with https://")
  })

/** The log-in of people at a provider of OpenID Connect. */
export const oidcSettings = {
  oidcIssuer: setting(
    "OIDC_ISSUER",
    {
      type: "URL",
      default: "no log-in with OpenID Connect",
      meaning: "the issuer at which people log in; OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are then required"
    },
    optional(parsed(issuer))
  ),
  oidcClientId: setting(
    "OIDC_CLIENT_ID",
    { type: "text", default: "none", meaning: "the client id of this service at the issuer" },
    optional(Config.nonEmptyString)
  ),
  oidcClientSecret: secretSetting(
    "OIDC_CLIENT_SECRET",
    { type: "text", default: "none", meaning: "the client secret of this service at the issuer" },
    (text) => Either.right(Redacted.make(text))
  ),
  oidcName: setting(
    "OIDC_NAME",
    { type: "text", default: "the host of OIDC_ISSUER", meaning: "the label of the button in the console" },
    optional(Config.nonEmptyString)
  )
}

/** The settings of the provider. */
interface OidcValues {
  readonly oidcIssuer: Option.Option<string>
  readonly oidcClientId: Option.Option<string>
  readonly oidcClientSecret: Option.Option<Redacted.Redacted<string>>
  readonly oidcName: Option.Option<string>
}

/** The account of this service at the provider; none without the settings. */
export const oidcAccount = ({ oidcClientId, oidcClientSecret, oidcIssuer, oidcName }: OidcValues) =>
  Option.map(Option.all({ issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret }), (account) => ({
    ...account,
    name: Option.getOrElse(oidcName, () => new URL(account.issuer).host)
  }))

/** Fails if only a part of the provider is configured. */
export const checkOidc = <A extends OidcValues>(settings: A): Either.Either<A, ConfigError.ConfigError> => {
  const needed: Readonly<Record<string, Option.Option<unknown>>> = {
    OIDC_ISSUER: settings.oidcIssuer,
    OIDC_CLIENT_ID: settings.oidcClientId,
    OIDC_CLIENT_SECRET: settings.oidcClientSecret
  }
  const missing = Object.entries(needed).flatMap(([name, value]) => (Option.isNone(value) ? [name] : []))
  const isComplete = missing.length === 0 || (missing.length === 3 && Option.isNone(settings.oidcName))
  return isComplete
    ? Either.right(settings)
    : Either.left(ConfigError.MissingData([missing.join(", ")], "must be set if another OIDC_ setting is set"))
}
