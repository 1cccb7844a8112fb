import { Context, type Ref } from "effect"

/** How callers reach the service. */
export class HttpSettings extends Context.Tag("api/HttpSettings")<
  HttpSettings,
  {
    /** Proxies (CIDRs) whose `X-Forwarded-For` is believed. */
    readonly trustedProxies: ReadonlyArray<string>
    /** Web origins that browsers may call from. */
    readonly corsOrigins: ReadonlyArray<string>
    /** Failed authentications a second of one address; 0 turns the limit off. */
    readonly failedAuthentications: number
    /** The memory for request bodies of the process, in bytes. */
    readonly bodyMemory: number
    /** Whether callers reach the service by https alone, so that cookies need not travel otherwise. */
    readonly secureCookies: boolean
  }
>() {}

/** Whether the process is stopping: then requests are turned away, so that what is under way can end. */
export class Draining extends Context.Tag("api/Draining")<Draining, Ref.Ref<boolean>>() {}
