import { main } from "../src/app.ts";
import { processContext } from "../src/context.ts";

// A promise that never settles ends Node with whatever stands here, so it is no success until one is proven.
process.exitCode = 1;
main(processContext()).then((code) => {
  process.exitCode = code;
});
