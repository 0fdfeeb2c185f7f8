package io.stowline.transport.internal;

/** The keys by which the facts of a request are handed over in the context of its call. */
public final class FactsKeys {

    /** Of the facts, once the request has ended. */
    public static final String FACTS = "stowline-request-facts";

    /** Of the consumer that is to be told of them. */
    public static final String OBSERVER = "stowline-request-observer";

    private FactsKeys() {}
}
