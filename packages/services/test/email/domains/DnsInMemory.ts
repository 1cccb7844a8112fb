import type { DnsRecord } from "@switchboard/domain/email/domains/EmailDomain"
import { DnsAbsent, DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { Effect, Layer } from "effect"

/** A DNS resolver over a zone that maps `TYPE name` to values; the value "fails" makes the lookup fail. */
export const dnsInMemory = () => {
  const zone = new Map<string, ReadonlyArray<string> | "fails">()

  const lookup = (key: string) =>
    Effect.suspend((): Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed> => {
      const found = zone.get(key)
      if (found === "fails") return new DnsFailed({ message: `No name server answered for ${key} (ESERVFAIL)` })
      return found === undefined ? new DnsAbsent({ reason: "NoSuchName" }) : Effect.succeed(found)
    })

  const layer = Layer.succeed(DnsResolver, {
    txt: (name) => lookup(`TXT ${name}`),
    mx: (name) =>
      Effect.map(lookup(`MX ${name}`), (texts) =>
        texts.map((text) => {
          const [priority, exchange = ""] = text.split(" ")
          return { priority: Number(priority), exchange }
        })
      ),
    ns: (name) => lookup(`NS ${name}`),
    alias: (name) => lookup(`CNAME ${name}`),
    addresses: (name, family) => lookup(`${family === 4 ? "A" : "AAAA"} ${name}`),
    names: (name) => lookup(`PTR ${name}`)
  })

  /** Publishes the given records in the zone. */
  const publish = (records: ReadonlyArray<DnsRecord>) => {
    for (const { name, priority, type, value } of records) {
      zone.set(`${type} ${name}`, [priority === undefined ? value : `${priority} ${value}`])
    }
  }

  return { zone, layer, publish }
}
