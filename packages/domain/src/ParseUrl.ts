import { Option } from "effect"

/**
 * Parses an absolute URL (WHATWG URL standard). `URL.canParse` is not used: once it is optimized, Node.js 20 rejects
 * texts with Latin-1 characters such as `ü`.
 */
export const parseUrl: (text: string) => Option.Option<URL> = Option.liftThrowable((text: string) => new URL(text))
