import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { Context, Effect, Layer } from "effect"
import { LiveService } from "../../LiveService.js"

/** The mutable records of a name server. */
export class Zone extends Context.Tag("test/Zone")<Zone, Record<string, DnsAnswer>>() {
  /** A service that resolves names in the zone. */
  static readonly Live = Layer.unwrapScoped(
    Effect.gen(function* () {
      const zone: Record<string, DnsAnswer> = {}
      const { server } = yield* dnsServer(zone)
      return LiveService.layer({
        DNS_SERVERS: server,
        MAIL_HOSTNAME: "mail.switchboard.test",
        SPF_INCLUDE: "spf.relay.test"
      }).pipe(Layer.merge(Layer.succeed(Zone, zone)))
    })
  )
}

interface RequestedRecord {
  readonly type: string
  readonly name: string
  readonly value: string
  readonly priority?: number
}

/** Publishes records, with long texts split into strings. `under` is the suffix of the CNAME targets. */
export const publish = (zone: Record<string, DnsAnswer>, records: ReadonlyArray<RequestedRecord>, under = "") => {
  const names = new Set(records.map(({ name }) => name))
  for (const name of names) {
    const rrset = records
      .filter((record) => record.name === name)
      .map(({ priority, type, value }) =>
        type === "MX"
          ? ({ type: "MX", priority: priority ?? 0, exchange: value } as const)
          : ({ type: "TXT", chunks: value.match(/.{1,100}/g) ?? [] } as const)
      )
    if (under === "") zone[name] = rrset
    else {
      zone[name] = [{ type: "CNAME", target: `${name}${under}` }]
      zone[`${name}${under}`] = rrset
    }
  }
}
