import { Context } from "effect"

/** Whether the service sends texts to its local handset. */
export class HandsetEnabled extends Context.Tag("services/HandsetEnabled")<HandsetEnabled, boolean>() {}
