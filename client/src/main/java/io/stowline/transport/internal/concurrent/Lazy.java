package io.stowline.transport.internal.concurrent;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is made once, when it is first needed: its classes are no part of the start of a process that does not. Thread-safe. */
public final class Lazy<T> implements Supplier<T> {

    private final Supplier<T> maker;
    private volatile @Nullable T made;

    /**
     * A value that is not made yet.
     *
     * @param maker makes it; called again after an exception
     */
    public Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    /** Returns the value. */
    @Override
    public T get() {
        T known = made;
        return known != null ? known : make();
    }

    private synchronized T make() {
        T known = made;
        if (known == null) {
            known = maker.get();
            made = known;
        }
        return known;
    }

    /** Returns the value if it is made, after a thread that is making it, or {@code null}. */
    public synchronized @Nullable T peek() {
        return made;
    }
}
