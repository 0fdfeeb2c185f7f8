package io.stowline.table.internal;

import reactor.core.publisher.Mono;

/** Pages for one taker, who asks for one after the other. */
public interface PageSource {

    /**
     * The next page.
     *
     * @return the page; empty after the last one or after {@link #cancel}
     */
    Mono<Page> next();

    /** Ends it: what is under way is cancelled and nothing more is sent. May come from anywhere. */
    void cancel();
}
