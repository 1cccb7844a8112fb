import { parseUrl } from "@switchboard/domain/HttpUrl"
import { Array, Data, Either, Option, Redacted } from "effect"
import { isRemote } from "./RelayTls.js"

/** A relay of `SMTP_URL`. */
export interface RelayUrl {
  /** Without the parameters. */
  readonly url: Redacted.Redacted<string>
  readonly priority: number
  readonly weight: number
  readonly domains: ReadonlyArray<string>
}

/** The value of `SMTP_URL`: where outgoing mail goes. */
export type SmtpServers = Data.TaggedEnum<{
  /** Over relays. */
  Relays: { readonly relays: Array.NonEmptyReadonlyArray<RelayUrl> }
  /** To the mail servers of its recipients: `mx:`. */
  Direct: object
}>

export const SmtpServers = Data.taggedEnum<SmtpServers>()

/** Whether outgoing mail leaves this machine. */
export const leavesMachine = SmtpServers.$match({
  Relays: ({ relays }) => relays.some(({ url }) => isRemote(url)),
  Direct: () => true
})

export const isDirect = SmtpServers.$is("Direct")

const maxNumber = 65_535

/** A parameter that is a number from `min`. */
const numberOf = (
  params: URLSearchParams,
  name: string,
  min: number,
  absent: number
): Either.Either<number, string> => {
  const text = params.get(name)
  if (text === null) return Either.right(absent)
  return /^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= maxNumber
    ? Either.right(Number(text))
    : Either.left(`${name} must be a whole number from ${min} to ${maxNumber}`)
}

const domainPattern = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d](?:[a-z\d-]*[a-z\d])?$/

const domainsOf = (params: URLSearchParams): Either.Either<ReadonlyArray<string>, string> => {
  const domains = (params.get("domains") ?? "").split(",").map((domain) => domain.trim().toLowerCase())
  if (!params.has("domains")) return Either.right([])
  return domains.every((domain) => domainPattern.test(domain))
    ? Either.right(domains)
    : Either.left("domains must be comma-separated domains of senders, like example.com,example.net")
}

const parameters = ["priority", "weight", "domains"]

const relay = (text: string): Either.Either<RelayUrl, string> =>
  Either.gen(function* () {
    const url = yield* Either.fromOption(
      Option.filter(parseUrl(text), ({ protocol }) => protocol === "smtp:" || protocol === "smtps:"),
      () => "must be a URL that begins with smtp:// or smtps://"
    )
    const { searchParams } = url
    const unknown = [...searchParams.keys()].find((name) => !parameters.includes(name))
    if (unknown !== undefined) {
      yield* Either.left(`has the unknown parameter ${unknown}: there are ${parameters.join(", ")}`)
    }
    const priority = yield* numberOf(searchParams, "priority", 0, 0)
    const weight = yield* numberOf(searchParams, "weight", 1, 1)
    const domains = yield* domainsOf(searchParams)
    url.search = ""
    return { url: Redacted.make(url.href), priority, weight, domains }
  })

/** Parses `SMTP_URL`: `mx:`, or URLs of relays, separated by spaces. Messages name a relay by its place: URLs have passwords. */
export const smtpServers = (text: string): Either.Either<Redacted.Redacted<SmtpServers>, string> => {
  const texts = text.trim().split(/\s+/)
  if (texts.includes("mx:")) {
    return texts.length === 1
      ? Either.right(Redacted.make<SmtpServers>(SmtpServers.Direct()))
      : Either.left("must be mx: alone, or URLs of relays")
  }
  return Either.all(
    texts.map((one, index) =>
      Either.mapLeft(relay(one), (problem) => (texts.length === 1 ? problem : `URL ${index + 1} ${problem}`))
    )
  ).pipe(
    Either.filterOrLeft(
      (relays) => relays.some(({ domains }) => domains.length === 0),
      () => "must have a relay without domains, for all other senders"
    ),
    Either.flatMap((relays) =>
      Array.isNonEmptyArray(relays)
        ? Either.right(Redacted.make<SmtpServers>(SmtpServers.Relays({ relays })))
        : Either.left("must be a URL")
    )
  )
}
