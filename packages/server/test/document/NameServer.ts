import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { Effect } from "effect"
import type { MadeDomain } from "./Made.js"

/** The world's name server: it knows who keeps example.com, and what is published. */
export const nameServer = Effect.gen(function* () {
  const zone: Record<string, DnsAnswer> = { "example.com": [{ type: "NS", target: "ns.example.net" }] }
  const { server } = yield* dnsServer(zone)
  const publish = (records: typeof MadeDomain.Type.dnsRecords): void => {
    for (const { name } of records) {
      zone[name] = records
        .filter((record) => record.name === name)
        .map(({ priority, type, value }) =>
          type === "MX" ? { type, priority, exchange: value } : { type, chunks: value.match(/.{1,255}/g) ?? [] }
        )
    }
  }
  return { server, publish }
})
