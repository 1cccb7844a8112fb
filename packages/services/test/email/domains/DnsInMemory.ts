import type { DnsRecord } from "@switchboard/domain/email/domains/EmailDomain"
import { DnsAbsent, DnsFailed, DnsResolver } from "@switchboard/services/network/DnsResolver"
import { Effect, Layer } from "effect"

/** Name servers that say what a test tells them, by `TYPE name`; of "fails" nobody says anything. */
export const dnsInMemory = () => {
  const zone = new Map<string, ReadonlyArray<string> | "fails">()

  const asked = (key: string) =>
    Effect.suspend((): Effect.Effect<ReadonlyArray<string>, DnsAbsent | DnsFailed> => {
      const found = zone.get(key)
      if (found === "fails") return new DnsFailed({ message: `No name server answered for ${key} (ESERVFAIL)` })
      return found === undefined ? new DnsAbsent({ reason: "NoSuchName" }) : Effect.succeed(found)
    })

  const layer = Layer.succeed(DnsResolver, {
    txt: (name) => asked(`TXT ${name}`),
    mx: (name) =>
      Effect.map(asked(`MX ${name}`), (texts) =>
        texts.map((text) => {
          const [priority, exchange = ""] = text.split(" ")
          return { priority: Number(priority), exchange }
        })
      ),
    ns: (name) => asked(`NS ${name}`),
    addresses: (name, family) => asked(`${family === 4 ? "A" : "AAAA"} ${name}`),
    names: (name) => asked(`PTR ${name}`)
  })

  /** Publishes records as they are asked for. */
  const publish = (records: ReadonlyArray<DnsRecord>) => {
    for (const { name, priority, type, value } of records) {
      zone.set(`${type} ${name}`, [priority === undefined ? value : `${priority} ${value}`])
    }
  }

  return { zone, layer, publish }
}
