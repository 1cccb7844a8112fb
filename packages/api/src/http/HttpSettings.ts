import { Context, type Ref } from "effect"

/** Settings of the HTTP server. */
export class HttpSettings extends Context.Tag("api/HttpSettings")<
  HttpSettings,
  {
    /** Trusted proxies (CIDRs): `X-Forwarded-For` is used only from these. */
    readonly trustedProxies: ReadonlyArray<string>
    /** Web origins that are allowed by CORS. */
    readonly corsOrigins: ReadonlyArray<string>
    /** Limit of failed authentications of one client address, per second. 0: no limit. */
    readonly failedAuthentications: number
    /** Limit of the memory for request bodies, in bytes. */
    readonly bodyMemory: number
    /** Whether each request is logged at the level info, else at debug. */
    readonly accessLog: boolean
    /** Whether session cookies have the attribute `Secure`: the public URL is https. */
    readonly secureCookies: boolean
  }
>() {}

/** While `closing`, responses end their connections. While `draining`, requests are also rejected with 503. */
export type ServingPhase = "serving" | "closing" | "draining"

/** How far the server has stopped. */
export class Serving extends Context.Tag("api/Serving")<Serving, Ref.Ref<ServingPhase>>() {}
