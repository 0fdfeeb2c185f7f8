package io.stowline.projection.internal.read;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A reader that makes a value, the registered one or a nested one, out of its part of a {@link ComponentRow}. Thread-safe. */
public final class NestedReader {

    /** A nested part, the place of its value, and what becomes of it without a value. */
    public record Inner(int position, NestedReader part, MissingValue absence) {}

    private final ValueReader[] slots;
    private final Inner[] nested;
    private final DefaultMask[] masks;
    private final Supplier<ReaderAssembly> composer;
    /** Composed for the first value, since a program that only writes has no use for it. Two threads may each compose one. */
    private volatile @Nullable ReaderAssembly assembly;

    public NestedReader(
            List<ValueReader> slots, List<Inner> nested, List<DefaultMask> masks, Supplier<ReaderAssembly> composer) {
        this.slots = slots.toArray(ValueReader[]::new);
        this.nested = nested.toArray(Inner[]::new);
        this.masks = masks.toArray(DefaultMask[]::new);
        this.composer = composer;
    }

    /** Composes the assembly now, which has an error for more arguments than a method handle takes. */
    public void compose() {
        assembly = composer.get();
    }

    /** Throws what the type's own constructor throws, as it is. */
    public Object make(ComponentRow row) throws Throwable {
        for (Inner inner : nested) {
            if (inner.part.present(row)) {
                row.put(inner.position, inner.part.make(row));
            } else {
                inner.absence.fill(row, inner.position);
            }
        }
        for (ValueReader slot : slots) {
            slot.complete(row);
        }
        for (DefaultMask mask : masks) {
            mask.fill(row);
        }
        ReaderAssembly composed = assembly;
        if (composed == null) {
            composed = composer.get();
            assembly = composed;
        }
        return composed.make(row.references, row.primitives);
    }

    private boolean present(ComponentRow row) {
        for (ValueReader slot : slots) {
            if (slot.present(row)) {
                return true;
            }
        }
        for (Inner inner : nested) {
            if (inner.part.present(row)) {
                return true;
            }
        }
        return false;
    }
}
