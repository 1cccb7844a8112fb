import { DestinationGuardNode } from "@switchboard/channels/network/DestinationGuardNode"
import { dnsNames } from "@switchboard/channels/network/HostNames"
import { parseNetwork } from "@switchboard/channels/network/NetworkPolicy"
import { NetworkSettings } from "@switchboard/channels/network/NetworkSettings"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { Context, Effect, Either, Layer } from "effect"
import { type DnsZone, dnsServer } from "./DnsServer.js"

export const networks = (allow: ReadonlyArray<string>) => allow.map((text) => Either.getOrThrow(parseNetwork(text)))

/** A guard with these blocks open. */
export const guardLayer = (allow: ReadonlyArray<string>, options: Partial<typeof NetworkSettings.Service> = {}) =>
  DestinationGuardNode.pipe(
    Layer.provide(Layer.succeed(NetworkSettings, { allow: networks(allow), dnsServers: [], ...options }))
  )

export const guardWith = (allow: ReadonlyArray<string>, options: Partial<typeof NetworkSettings.Service> = {}) =>
  Effect.map(Layer.build(guardLayer(allow, options)), Context.get(DestinationGuard))

/** A name server that knows this zone, and the names as it tells them. */
export const zoneNames = (zone: DnsZone) =>
  Effect.map(dnsServer(zone), ({ server, timesAsked }) => ({ names: dnsNames([server]), timesAsked }))
