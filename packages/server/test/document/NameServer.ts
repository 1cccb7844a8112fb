import { type DnsAnswer, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { Effect } from "effect"
import type { CreatedDomain } from "./CreatedResources.js"

/** A name server with the NS record of example.com and the published records. */
export const nameServer = Effect.gen(function* () {
  const zone: Record<string, DnsAnswer> = { "example.com": [{ type: "NS", target: "ns.example.net" }] }
  const { server } = yield* dnsServer(zone)
  const publish = (records: typeof CreatedDomain.Type.dnsRecords): void => {
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
