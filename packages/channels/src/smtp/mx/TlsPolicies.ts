import type { MtaStsPolicyRepo } from "@switchboard/services/messages/delivery/MtaStsPolicyRepo"
import type { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import type { DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { Context, Duration, Effect, Layer, Option } from "effect"
import type { NetworkSettings } from "../../network/NetworkPolicy.js"
import { daneRecords } from "./DaneRecords.js"
import { matchesMx } from "./MtaSts.js"
import { mtaStsPolicies } from "./MtaStsPolicies.js"
import type { TlsaRecord } from "./TlsaRecord.js"

/** How connections to one mail server are secured. */
export interface ServerTls {
  /**
   * `opportunistic`: STARTTLS if offered, unverified. `encrypt`: TLS, unverified. `require`: TLS with a verified
   * certificate (WebPKI). `dane`: TLS verified by `tlsa`.
   */
  readonly tls: "opportunistic" | "encrypt" | "require" | "dane"
  /** The usable TLSA records (RFC 7672), for `dane` only; otherwise empty. */
  readonly tlsa: ReadonlyArray<TlsaRecord>
}

/** The TLS policy of a recipient domain. */
export interface DomainTls {
  /** The MTA-STS mode that holds; `none` without a policy. */
  readonly mode: "none" | "testing" | "enforce"
  /** Whether a policy in mode `enforce` allows the mail server; true in every other mode. */
  readonly allows: (host: string) => boolean
}

/** The TLS settings of direct delivery. */
export class MxTlsSettings extends Context.Tag("channels/MxTlsSettings")<
  MxTlsSettings,
  {
    /** `MX_TLS` */
    readonly mxTls: "opportunistic" | "require"
    /** The port of the hosts of MTA-STS policies; for tests. Default: 443. */
    readonly policyPort?: number
    /** The time for a complete policy. Default: one minute (RFC 8461 section 3.3). */
    readonly policyTimeout?: Duration.DurationInput
  }
>() {}

/** Decides how connections to the mail servers of recipient domains are secured. */
export class TlsPolicies extends Context.Tag("channels/TlsPolicies")<
  TlsPolicies,
  {
    /** The MTA-STS policy of a recipient domain, from the cache or fetched (RFC 8461). */
    readonly ofDomain: (domain: string) => Effect.Effect<DomainTls>
    /**
     * How connections to a mail server of the domain are secured. Fails if its TLSA records can't be looked up: the server
     * must then not be used (RFC 7672 section 2.1.2).
     */
    readonly ofServer: (domain: string, host: string, port: number) => Effect.Effect<ServerTls, DnsFailed>
  }
>() {}

const withoutPolicy: DomainTls = { mode: "none", allows: () => true }

/** DANE before MTA-STS before `MX_TLS`. TLSA records of which none is usable demand TLS (RFC 7672 section 2.2.3). */
export const TlsPoliciesLive: Layer.Layer<
  TlsPolicies,
  never,
  DestinationGuard | DnsResolver | MtaStsPolicyRepo | MxTlsSettings | NetworkSettings
> = Layer.scoped(
  TlsPolicies,
  Effect.gen(function* () {
    const { mxTls, policyPort = 443, policyTimeout = "1 minute" } = yield* MxTlsSettings
    const policies = yield* mtaStsPolicies(policyPort, Duration.decode(policyTimeout))
    const dane = yield* daneRecords

    const ofDomain = (domain: string) =>
      Effect.map(
        policies.find(domain),
        Option.match({
          onNone: () => withoutPolicy,
          onSome: ({ mode, mx }): DomainTls => ({
            mode,
            allows: (host) => mode !== "enforce" || matchesMx(mx, host)
          })
        })
      )

    const ofServer = Effect.fnUntraced(function* (domain: string, host: string, port: number) {
      const records = yield* dane.find({ domain, host, port })
      const tlsa = Option.getOrElse(records, () => [])
      if (tlsa.length > 0) return { tls: "dane", tlsa } satisfies ServerTls
      const { mode } = yield* ofDomain(domain)
      const demandsTls = Option.isSome(records) || mxTls === "require"
      const tls: ServerTls["tls"] = mode === "enforce" ? "require" : demandsTls ? "encrypt" : "opportunistic"
      return { tls, tlsa } satisfies ServerTls
    })

    return { ofDomain, ofServer }
  })
)
