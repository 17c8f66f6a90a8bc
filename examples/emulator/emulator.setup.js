// emulator.setup.js
import { startEmulator } from "referral-auth/emulator";

export default async function setup(project) {
  const emulator = await startEmulator({ control: true });
  project.provide("emulator", { url: emulator.url, accounts: emulator.accounts });
  return () => emulator.close();
}
