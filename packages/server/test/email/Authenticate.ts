import { Resolver } from "node:dns/promises"
import { type DnsZone, dnsServer } from "@switchboard/channels/testing/network/DnsServer"
import { Effect } from "effect"
import { authenticate } from "mailauth"

/** Authenticates mails with a third-party verifier over the records of a zone. */
export const authenticator = Effect.fnUntraced(function* (zone: DnsZone) {
  const { server } = yield* dnsServer(zone)
  const resolver = new Resolver()
  resolver.setServers([server])
  return (raw: string, sender = "") =>
    Effect.promise(() =>
      authenticate(raw, {
        ip: "192.0.2.1",
        helo: "relay.test",
        sender,
        trustReceived: false,
        disableBimi: true,
        resolver: (name, type) =>
          resolver.resolve(name, type).then((found): string[][] => JSON.parse(JSON.stringify(found)))
      })
    )
})
