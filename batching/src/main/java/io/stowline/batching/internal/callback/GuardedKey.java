package io.stowline.batching.internal.callback;

import org.jspecify.annotations.Nullable;

/**
 * A key or an entity of the application, whose code is contained: the hash is taken once, on the submitting thread, and an
 * {@code equals} or {@code toString} that throws does so for its own item only. Guarded by the engine's lock once it is shared.
 */
public final class GuardedKey {

    private Object value;
    private int hash;
    private @Nullable Throwable failure;

    public GuardedKey(Object value) {
        this.value = value;
        this.hash = value.hashCode();
    }

    /** Sets another value in the same object, where no map keeps it. */
    public GuardedKey of(Object other) {
        this.value = other;
        this.hash = other.hashCode();
        this.failure = null;
        return this;
    }

    public Object value() {
        return value;
    }

    /** Returns the error of a value whose {@code equals} threw during a lookup. */
    @Nullable
    public RuntimeException failure() {
        return failure == null
                ? null
                : new IllegalArgumentException(
                        "equals of " + value.getClass().getName() + " threw "
                                + failure.getClass().getName(),
                        failure);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof GuardedKey named) || hash != named.hash) {
            return false;
        }
        try {
            return value.equals(named.value);
        } catch (Throwable thrown) {
            failure = thrown;
            return false;
        }
    }

    @Override
    public String toString() {
        try {
            return String.valueOf(value);
        } catch (Throwable thrown) {
            return value.getClass().getName() + ", whose toString threw "
                    + thrown.getClass().getName();
        }
    }
}
