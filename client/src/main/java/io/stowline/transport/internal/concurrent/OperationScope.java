package io.stowline.transport.internal.concurrent;

import io.stowline.error.FailureDetails;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.concurrent.FatalErrors.CallEnd;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The operation that a request is a part of, as it lies in the Reactor context. One entry holds all of it: Reactor makes a map of a
 * context with more than five entries, and each request copies its context several times. Thread-safe.
 */
public class OperationScope {

    /** The ending of an operation that closing did not wait for any longer. */
    public static final String CLOSED = "this Stowline was closed before the operation had ended";

    /** The ending of an operation whose caller was interrupted. */
    public static final String INTERRUPTED = "the waiting thread was interrupted";

    /** The ending of an operation that an error of the virtual machine has broken. */
    public static final String BROKEN = "an error on the thread of its response ended the operation";

    private static final Object KEY = "stowline-operation-scope";

    private final @Nullable InFlightRegistry inFlight;
    private final Context caller;
    private final OperationWrites writes = new OperationWrites();
    private volatile @Nullable StorageException cut;
    private volatile @Nullable CallEnd end;

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

    /** Returns the scope in this context, or {@code null}. */
    public static @Nullable OperationScope in(ContextView context) {
        return context.getOrDefault(KEY, null);
    }

    /** Returns the registry that counts the operation in this context, or {@code null}. */
    public static @Nullable InFlightRegistry inFlight(ContextView context) {
        OperationScope operationScope = in(context);
        return operationScope == null ? null : operationScope.inFlight;
    }

    /** Returns the context of the operation's caller, without the library's entries. */
    public Context caller() {
        return caller;
    }

    /** Records the beginning of a write of the operation. */
    public void writing(SentWrite write) {
        writes.begin(write);
    }

    /** Records the end of a write of the operation, in whatever way. */
    public void wrote(SentWrite write) {
        writes.end(write);
    }

    /** Records the proof of a read-back that the service has not executed the write with this id and never will. */
    public void disproved(String clientRequestId) {
        writes.disproved(clientRequestId);
    }

    /**
     * Returns the facts of a write of the operation that the service has or may have executed.
     *
     * @param ending why the operation ends without its result
     * @return the facts, or {@code null} if there is no such write
     */
    public @Nullable FailureDetails perhapsCarriedOut(String ending) {
        SentWrite write = writes.applied();
        return write == null ? null : write.soFar(ending);
    }

    /** Records a request of the operation that closing has ended. An unsent one does not replace a sent one. */
    public synchronized void cut(StorageException request) {
        if (cut == null || request.failure().attempts() > 0) {
            cut = request;
        }
    }

    /** Returns the end of the last request that closing has ended; of one that was sent if there is any. */
    public @Nullable StorageException cut() {
        return cut;
    }

    /** Sets the end of the operation, which works beside its chain. */
    protected final void endsWith(CallEnd operation) {
        end = operation;
    }

    /** Ends the operation; false if it has ended, or ends with the thread that drives it. */
    final boolean fail(RuntimeException error) {
        CallEnd operation = end;
        return operation != null && operation.fail(error);
    }

    /** Returns the context of the operation's requests. */
    public Context context() {
        return caller.put(KEY, this);
    }
}
