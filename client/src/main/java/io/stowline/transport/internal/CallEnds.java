package io.stowline.transport.internal;

/** Is told of the end of each call, whatever it is, before whoever made the call. */
@FunctionalInterface
interface CallEnds {

    /** Tells nobody. */
    CallEnds UNHEARD = call -> {};

    void ended(Call<?> call);
}
