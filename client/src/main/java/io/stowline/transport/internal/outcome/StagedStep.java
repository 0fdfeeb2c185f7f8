package io.stowline.transport.internal.outcome;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.UnreachableException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A step of an operation whose writes do not change the operation's target: the body of a message in its blob, before
 * the message is sent or after it is done. The outcome of the operation is certain if it ends in this step, whatever
 * became of these writes.
 */
public final class StagedStep {

    private static final Object KEY = "stowline-staged-step";

    private StagedStep() {}

    /**
     * Makes work a staged step of the operation around it.
     *
     * @param proof why its writes do not count, as the end of a message
     */
    public static <T> Mono<T> of(String proof, Mono<T> work) {
        return work.onErrorMap(
                        OutcomeUnknownException.class,
                        e -> new UnreachableException(e.failure().settled(proof), e.getCause()))
                .contextWrite(context -> context.put(KEY, proof));
    }

    /** Gives the proof of the step in this context, or {@code null} outside of one. */
    public static @Nullable String proof(ContextView context) {
        return context.getOrDefault(KEY, null);
    }
}
