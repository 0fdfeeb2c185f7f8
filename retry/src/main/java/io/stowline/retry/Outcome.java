package io.stowline.retry;

/** What the attempt that held a permit has taught about the service. */
enum Outcome {
    UNKNOWN,
    ANSWERED,
    THROTTLED
}
