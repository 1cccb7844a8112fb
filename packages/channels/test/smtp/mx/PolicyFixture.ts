import { DestinationGuardNode } from "@switchboard/channels/network/DestinationGuardNode"
import { DnsResolverNode } from "@switchboard/channels/network/DnsResolverNode"
import { NetworkSettings } from "@switchboard/channels/network/NetworkPolicy"
import { MxTlsSettings, TlsPolicies, TlsPoliciesLive } from "@switchboard/channels/smtp/mx/TlsPolicies"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type MtaStsPolicy, MtaStsPolicyRepo } from "@switchboard/services/messages/delivery/MtaStsPolicyRepo"
import { Context, Effect, Layer, Option } from "effect"
import { type DnsAnswer, dnsServer } from "../../network/DnsServer.js"
import { networks } from "../../network/Guards.js"

const outage = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })

/** Stored policies in memory, which can be out of reach. */
export const storedPolicies = () => {
  const policies = new Map<string, MtaStsPolicy>()
  const state = { isReachable: true }
  const reached = <A>(result: () => A) => Effect.suspend(() => (state.isReachable ? Effect.sync(result) : outage))
  const layer = Layer.mock(MtaStsPolicyRepo, {
    find: (domain) => reached(() => Option.fromNullable(policies.get(domain))),
    save: (policy) => reached(() => void policies.set(policy.domain, policy))
  })
  return { policies, state, layer }
}

interface PolicyOptions {
  /** The records, which can be changed. */
  readonly zone: Record<string, DnsAnswer>
  readonly stored?: ReturnType<typeof storedPolicies>
  readonly settings?: Partial<typeof MxTlsSettings.Service>
  readonly network?: Partial<typeof NetworkSettings.Service>
  readonly timeToLive?: number
  readonly isAuthenticated?: (name: string, isAlias: boolean) => boolean
}

/** TlsPolicies over a DNS server with this zone. NETWORK_ALLOW opens loopback. */
export const tlsPolicies = ({
  isAuthenticated = () => false,
  network,
  settings,
  stored = storedPolicies(),
  timeToLive = 0,
  zone
}: PolicyOptions) =>
  Effect.gen(function* () {
    const { queries, server } = yield* dnsServer(zone, timeToLive, { isAuthenticated })
    const networkSettings = Layer.succeed(NetworkSettings, {
      allow: networks(["127.0.0.0/8"]),
      dnsServers: [server],
      ...network
    })
    const context = yield* TlsPoliciesLive.pipe(
      Layer.provide(Layer.mergeAll(DestinationGuardNode, DnsResolverNode)),
      Layer.provide(networkSettings),
      Layer.provide(stored.layer),
      Layer.provide(Layer.succeed(MxTlsSettings, { mxTls: "opportunistic", ...settings })),
      Layer.build
    )
    return { policies: Context.get(context, TlsPolicies), queries }
  })
