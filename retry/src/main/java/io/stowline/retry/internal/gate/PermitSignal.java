package io.stowline.retry.internal.gate;

/** What the attempt that held a permit has taught about the service. */
enum PermitSignal {
    UNKNOWN,
    ANSWERED,
    THROTTLED
}
