export type { ForcedAnswer } from "../emulator/emulator-options.ts";
export { type Emulator, startEmulator } from "../emulator/server.ts";
