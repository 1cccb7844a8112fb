import { isIP } from "node:net"
import { networkInterfaces } from "node:os"
import {
  type CheckedAddress,
  DestinationForbidden,
  DestinationGuard,
  HostUnresolved
} from "@switchboard/services/network/DestinationGuard"
import { Array, Duration, Effect, Layer } from "effect"
import { dnsNames, hostNames } from "./HostNames.js"
import { networkPolicy } from "./NetworkPolicy.js"
import { NetworkSettings } from "./NetworkSettings.js"

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))

/** These names mean this machine wherever they are asked for (RFC 6761 section 6.3), so nobody is asked. */
const loopbackName = /(^|\.)localhost\.?$/i
const loopback = ["127.0.0.1", "::1"]

/** For a look-up, where nobody says otherwise. */
const patience = Duration.seconds(10)

const forbidden = (message: string) => new DestinationForbidden({ message })

/** The guard of a process that dials by itself. */
export const DestinationGuardNode = Layer.effect(
  DestinationGuard,
  Effect.gen(function* () {
    const { allow, dnsServers, names, ownAddresses = interfaceAddresses } = yield* NetworkSettings
    const policy = networkPolicy({ allow, ownAddresses })
    const addressesOf = names ?? (dnsServers.length === 0 ? yield* hostNames : dnsNames(dnsServers))

    /** The addresses that a host has by itself, none if it is a name that must be looked up. */
    const known = (host: string): ReadonlyArray<string> => {
      if (!loopbackName.test(host)) return isIP(host) === 0 ? [] : [host]
      const opened = loopback.filter((address) => policy.verdict(address)._tag === "Opened")
      return opened.length > 0 ? opened : loopback
    }

    /** A name's addresses stay unsaid: they would tell strangers what the names of this network lead to. */
    const judged = (host: string, addresses: ReadonlyArray<string>, plain: boolean) =>
      Effect.forEach(addresses, (address) => {
        const verdict = policy.verdict(address)
        if (verdict._tag === "Forbidden") {
          const leads = isIP(host) === 0 ? "leads to" : "is"
          return forbidden(
            `${host} ${leads} ${verdict.kind}: only public addresses may be called, and what NETWORK_ALLOW opens`
          )
        }
        if (plain && verdict._tag === "Public") {
          return forbidden(`${host} must be called over https: http is for what NETWORK_ALLOW opens`)
        }
        return Effect.succeed<CheckedAddress>({ address, family: isIP(address) === 6 ? 6 : 4 })
      })

    /** The URL and its host, if its form allows to call it. */
    const read = Effect.fnUntraced(function* (text: string) {
      if (!URL.canParse(text)) return yield* forbidden("The text is not a URL")
      const url = new URL(text)
      const plain = url.protocol === "http:"
      if (url.protocol !== "https:" && !plain) {
        return yield* forbidden("Only https is called, and http where NETWORK_ALLOW opens it")
      }
      if (url.username !== "" || url.password !== "") {
        return yield* forbidden("The URL must not carry a user or a password")
      }
      if (plain && !policy.opensAny)
        return yield* forbidden("Only https is called: NETWORK_ALLOW opens nothing to http")
      return { url, plain, host: url.hostname.replace(/^\[|\]$/g, "") }
    })

    const lookedUp = (host: string, within: Duration.Duration) =>
      Effect.timeoutFail(addressesOf(host), {
        duration: within,
        onTimeout: () => {
          const message = `The name ${host} could not be looked up within ${Duration.format(within)}`
          return new HostUnresolved({ reason: "NoAnswer", message })
        }
      })

    const checked = Effect.fnUntraced(function* (host: string, plain: boolean, within = patience) {
      const by = known(host)
      const addresses = yield* judged(host, by.length > 0 ? by : yield* lookedUp(host, within), plain)
      return Array.isNonEmptyReadonlyArray(addresses) ? addresses : yield* forbidden(`${host} has no address`)
    })

    return {
      checkUrl: (text) =>
        Effect.flatMap(read(text), ({ host, plain }) => Effect.asVoid(judged(host, known(host), plain))),
      checkedDestination: Effect.fnUntraced(function* (text, within) {
        const { host, plain, url } = yield* read(text)
        return { url, addresses: yield* checked(host, plain, within) }
      }),
      checkedAddresses: (host, within) => checked(host.replace(/^\[|\]$/g, ""), false, within)
    }
  })
)
