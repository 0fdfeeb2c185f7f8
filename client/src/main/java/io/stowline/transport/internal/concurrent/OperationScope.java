package io.stowline.transport.internal.concurrent;

import io.stowline.error.FailureDetails;
import io.stowline.error.StorageException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The operation that a request is a part of, as it lies in the Reactor context. One entry holds all of it: Reactor makes a map of a
 * context with more than five entries, and each request copies its context several times. Thread-safe.
 */
public class OperationScope {

    private static final Object KEY = "stowline-operation-scope";

    private final @Nullable InFlightRegistry inFlight;
    private final Context caller;
    private volatile @Nullable Supplier<@Nullable FailureDetails> written;
    private volatile @Nullable FailureDetails before;
    private volatile @Nullable FailureDetails doubt;
    private volatile @Nullable StorageException cut;

    /**
     * An operation that begins.
     *
     * @param inFlight counts it, or {@code null} if only its requests count
     * @param caller the context that it runs in, without this scope
     */
    protected OperationScope(@Nullable InFlightRegistry inFlight, Context caller) {
        this.inFlight = inFlight;
        this.caller = caller;
    }

    /** The scope in this context, or {@code null}. */
    public static @Nullable OperationScope in(ContextView context) {
        return context.getOrDefault(KEY, null);
    }

    /** What counts the operation in this context, or {@code null}. */
    public static @Nullable InFlightRegistry inFlight(ContextView context) {
        OperationScope scope = in(context);
        return scope == null ? null : scope.inFlight;
    }

    /** The context that the operation's caller gave it, without what the library keeps there for its own use. */
    public Context caller() {
        return caller;
    }

    /**
     * A write of the operation begins.
     *
     * @param facts what is known of it once it was carried out, for a caller that its response does not reach; {@code null} before
     */
    public void writing(Supplier<@Nullable FailureDetails> facts) {
        FailureDetails earlier = carriedOut();
        if (earlier != null) {
            before = earlier;
        }
        written = facts;
    }

    /**
     * A write of the operation was carried out, and what it sent is not to be kept for its facts.
     *
     * @param given what {@link #writing} was given
     */
    public void wrote(Supplier<@Nullable FailureDetails> given) {
        FailureDetails facts = given.get();
        before = facts == null ? before : facts;
        if (written == given) {
            written = null;
        }
    }

    /** Closing has ended a write of the operation that the service may have carried out. */
    public void doubted(FailureDetails facts) {
        doubt = facts;
    }

    /** What is known of the last write of the operation that was or may have been carried out, or {@code null} if there is none. */
    public @Nullable FailureDetails perhapsCarriedOut() {
        FailureDetails certain = carriedOut();
        return certain == null ? doubt : certain;
    }

    /** What is known of the last write of the operation that was carried out, or {@code null} if none was. */
    public @Nullable FailureDetails carriedOut() {
        Supplier<@Nullable FailureDetails> facts = written;
        FailureDetails last = facts == null ? null : facts.get();
        return last == null ? before : last;
    }

    /** Closing has ended a request of the operation. One that was not sent any more takes the place of none that was. */
    public synchronized void cut(StorageException request) {
        if (cut == null || request.failure().attempts() > 0) {
            cut = request;
        }
    }

    /** The end of the last request that closing has ended; of one that was sent if there is any. {@code null} if it has ended none. */
    public @Nullable StorageException cut() {
        return cut;
    }

    /** The context of the operation's requests. */
    public Context context() {
        return caller.put(KEY, this);
    }
}
