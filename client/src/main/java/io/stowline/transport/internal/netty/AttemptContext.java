package io.stowline.transport.internal.netty;

import io.stowline.transport.internal.http.response.WriteTracker;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The Reactor context of an attempt: the operation's, with the write tracker and with a hook for discarded responses. One object per
 * attempt, since each {@code put} copies a context. Immutable.
 */
public final class AttemptContext implements Context {

    private final Context operation;
    private final WriteTracker tracker;
    private final Context hook;

    /**
     * The context of an attempt.
     *
     * @param operation the operation's
     * @param tracker the attempt's
     * @param hook has the hook that {@link #discarding} made
     */
    public AttemptContext(Context operation, WriteTracker tracker, Context hook) {
        this.operation = operation;
        this.tracker = tracker;
        this.hook = hook;
    }

    /** Returns the hook for discarded responses, made once for all attempts. */
    public static Context discarding(Consumer<Object> close) {
        return Operators.enableOnDiscard(Context.empty(), close);
    }

    private Context copied() {
        return operation.put(WriteTracker.class, tracker).putAll(hook.readOnly());
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the interface declares it
    public <T> T get(Object key) {
        T value = getOrDefault(key, null);
        if (value == null) {
            throw new NoSuchElementException("Context does not contain key: " + key);
        }
        return value;
    }

    @Override
    @SuppressWarnings("unchecked") // as the interface declares it
    public <T> @Nullable T getOrDefault(Object key, @Nullable T otherwise) {
        if (key == WriteTracker.class) {
            return (T) tracker;
        }
        return hook.hasKey(key) ? hook.get(key) : operation.getOrDefault(key, otherwise);
    }

    @Override
    public boolean hasKey(Object key) {
        return key == WriteTracker.class || hook.hasKey(key) || operation.hasKey(key);
    }

    @Override
    public int size() {
        return copied().size();
    }

    @Override
    public Stream<Map.Entry<Object, Object>> stream() {
        return copied().stream();
    }

    @Override
    public Context put(Object key, Object value) {
        return copied().put(key, value);
    }

    @Override
    public Context delete(Object key) {
        return copied().delete(key);
    }

    @Override
    public String toString() {
        return copied().toString();
    }
}
