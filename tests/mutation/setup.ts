import fc from "fast-check";

/** Thousands of random cases per change would take hours: each property gets half a second. */
fc.configureGlobal({ interruptAfterTimeLimit: 500 });
