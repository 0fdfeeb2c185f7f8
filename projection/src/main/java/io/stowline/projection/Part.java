package io.stowline.projection;

import java.lang.invoke.MethodHandle;
import java.util.List;

/** Makes a value, the registered one or a nested one, out of its part of a {@link Row}. Immutable. */
final class Part {

    /** A nested part and the place of its value. */
    record Inner(int position, Part part) {}

    private final Slot[] slots;
    private final Inner[] nested;
    private final MethodHandle assembly;

    Part(List<Slot> slots, List<Inner> nested, MethodHandle assembly) {
        this.slots = slots.toArray(Slot[]::new);
        this.nested = nested.toArray(Inner[]::new);
        this.assembly = assembly;
    }

    /** Throws what the type's own constructor throws, as it is. */
    Object make(Row row) throws Throwable {
        for (Inner inner : nested) {
            if (inner.part.present(row)) {
                row.put(inner.position, inner.part.make(row));
            }
        }
        for (Slot slot : slots) {
            slot.complete(row);
        }
        return (Object) assembly.invokeExact(row.references, row.primitives);
    }

    private boolean present(Row row) {
        for (Slot slot : slots) {
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
