import { Context } from "effect"

/** `PUBLIC_URL`, without a slash at its end: every link is built from it, never from what a request says of itself. */
export class PublicUrl extends Context.Tag("services/PublicUrl")<PublicUrl, string>() {}
