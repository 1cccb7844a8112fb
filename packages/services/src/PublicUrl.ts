import { Context } from "effect"

/** `PUBLIC_URL`, without a trailing slash. Every link is built from it, never from a request's Host header. */
export class PublicUrl extends Context.Tag("services/PublicUrl")<PublicUrl, string>() {}
