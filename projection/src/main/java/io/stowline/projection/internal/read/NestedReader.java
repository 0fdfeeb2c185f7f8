package io.stowline.projection.internal.read;

import java.util.List;

/** A reader that makes a value, the registered one or a nested one, out of its part of a {@link ComponentRow}. Immutable. */
public final class NestedReader {

    /** A nested part, the place of its value, and what becomes of it without a value. */
    public record Inner(int position, NestedReader part, MissingValue absence) {}

    private final ValueReader[] slots;
    private final Inner[] nested;
    private final DefaultMask[] masks;
    private final ReaderAssembly assembly;

    public NestedReader(List<ValueReader> slots, List<Inner> nested, List<DefaultMask> masks, ReaderAssembly assembly) {
        this.slots = slots.toArray(ValueReader[]::new);
        this.nested = nested.toArray(Inner[]::new);
        this.masks = masks.toArray(DefaultMask[]::new);
        this.assembly = assembly;
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
        return assembly.make(row.references, row.primitives);
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
