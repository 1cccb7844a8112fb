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
    /** Whether session cookies have the attribute `Secure`: the public URL is https. */
    readonly secureCookies: boolean
  }
>() {}

/** Whether the process is stopping. New requests are then rejected with 503, so that current ones can end. */
export class Draining extends Context.Tag("api/Draining")<Draining, Ref.Ref<boolean>>() {}
