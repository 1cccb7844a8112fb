import { isIP } from "node:net"
import { networkInterfaces } from "node:os"
import { parseUrl } from "@switchboard/domain/HttpUrl"
import {
  type CheckedAddress,
  DestinationForbidden,
  DestinationGuard,
  HostUnresolved
} from "@switchboard/services/network/DestinationGuard"
import { Array, Duration, Effect, Layer } from "effect"
import { dnsLookup, hostLookup } from "./HostLookup.js"
import { NetworkSettings, networkPolicy } from "./NetworkPolicy.js"

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))

/** Names that always resolve to loopback (RFC 6761 section 6.3); they are never looked up. */
const loopbackName = /(^|\.)localhost\.?$/i
const loopback = ["127.0.0.1", "::1"]

const defaultLookupTimeout = Duration.seconds(10)

const forbidden = (message: string) => new DestinationForbidden({ message })

/** Checks destinations against the network policy, and resolves their names. */
export const DestinationGuardNode = Layer.effect(
  DestinationGuard,
  Effect.gen(function* () {
    const { allow, dnsServers, hostLookup: customLookup, ownAddresses = interfaceAddresses } = yield* NetworkSettings
    const policy = networkPolicy({ allow, ownAddresses })
    const addressesOf = customLookup ?? (dnsServers.length === 0 ? yield* hostLookup : dnsLookup(dnsServers))

    /** The addresses of an IP literal or a localhost name; empty for a name that must be looked up. */
    const literalAddresses = (host: string): ReadonlyArray<string> => {
      if (!loopbackName.test(host)) return isIP(host) === 0 ? [] : [host]
      const opened = loopback.filter((address) => policy.verdict(address)._tag === "Opened")
      return opened.length > 0 ? opened : loopback
    }

    /** Error messages omit a name's addresses: they would disclose the names of the internal network. */
    const checkAddresses = (host: string, addresses: ReadonlyArray<string>, plain: boolean) =>
      Effect.forEach(addresses, (address) => {
        const verdict = policy.verdict(address)
        if (verdict._tag === "Forbidden") {
          const verb = isIP(host) === 0 ? "leads to" : "is"
          return forbidden(
            `${host} ${verb} ${verdict.kind}: only public addresses and those of NETWORK_ALLOW may be called`
          )
        }
        if (plain && verdict._tag === "Public") {
          return forbidden(`${host} must be called over https: http is allowed only for addresses of NETWORK_ALLOW`)
        }
        return Effect.succeed<CheckedAddress>({ address, family: isIP(address) === 6 ? 6 : 4 })
      })

    /** Parses a URL and checks its scheme and credentials. */
    const checkUrl = Effect.fnUntraced(function* (text: string) {
      const url = yield* Effect.mapError(parseUrl(text), () => forbidden("The text is not a URL"))
      const plain = url.protocol === "http:"
      if (url.protocol !== "https:" && !plain) {
        return yield* forbidden("The URL must be https, or http to an address of NETWORK_ALLOW")
      }
      if (url.username !== "" || url.password !== "") {
        return yield* forbidden("The URL must not carry a user or a password")
      }
      if (plain && !policy.opensAny)
        return yield* forbidden("The URL must be https: NETWORK_ALLOW is empty, so http is not allowed")
      return { url, plain, host: url.hostname.replace(/^\[|\]$/g, "") }
    })

    const lookup = (host: string, timeout: Duration.Duration) =>
      Effect.timeoutFail(addressesOf(host), {
        duration: timeout,
        onTimeout: () => {
          const message = `The name ${host} could not be looked up within ${Duration.format(timeout)}`
          return new HostUnresolved({ reason: "NoAnswer", message })
        }
      })

    const resolve = Effect.fnUntraced(function* (host: string, plain: boolean, timeout = defaultLookupTimeout) {
      const literals = literalAddresses(host)
      const addresses = yield* checkAddresses(
        host,
        literals.length > 0 ? literals : yield* lookup(host, timeout),
        plain
      )
      return Array.isNonEmptyReadonlyArray(addresses) ? addresses : yield* forbidden(`${host} has no address`)
    })

    return {
      checkUrl: (text) =>
        Effect.flatMap(checkUrl(text), ({ host, plain }) =>
          Effect.asVoid(checkAddresses(host, literalAddresses(host), plain))
        ),
      checkedDestination: Effect.fnUntraced(function* (text, timeout) {
        const { host, plain, url } = yield* checkUrl(text)
        return { url, addresses: yield* resolve(host, plain, timeout) }
      }),
      checkedAddresses: (host, timeout) => resolve(host.replace(/^\[|\]$/g, ""), false, timeout)
    }
  })
)
