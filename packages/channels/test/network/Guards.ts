import { DestinationGuardNode } from "@switchboard/channels/network/DestinationGuardNode"
import { dnsLookup } from "@switchboard/channels/network/HostLookup"
import { NetworkSettings, parseNetwork } from "@switchboard/channels/network/NetworkPolicy"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { Context, Effect, Either, Layer } from "effect"
import { type DnsZone, dnsServer } from "./DnsServer.js"

export const networks = (allow: ReadonlyArray<string>) => allow.map((text) => Either.getOrThrow(parseNetwork(text)))

/** A DestinationGuard with these blocks in NETWORK_ALLOW. */
export const guardLayer = (allow: ReadonlyArray<string>, options: Partial<typeof NetworkSettings.Service> = {}) =>
  DestinationGuardNode.pipe(
    Layer.provide(Layer.succeed(NetworkSettings, { allow: networks(allow), dnsServers: [], ...options }))
  )

export const guardWith = (allow: ReadonlyArray<string>, options: Partial<typeof NetworkSettings.Service> = {}) =>
  Effect.map(Layer.build(guardLayer(allow, options)), Context.get(DestinationGuard))

/** A DNS server with this zone, and a lookup that uses it. */
export const zoneLookup = (zone: DnsZone) =>
  Effect.map(dnsServer(zone), ({ queryCount, server }) => ({ hostLookup: dnsLookup([server]), queryCount }))
