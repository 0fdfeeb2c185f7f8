package io.stowline.table.internal;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The names that stand in rows. Rows resemble each other: mostly a name is known by its bytes, because it came behind the same name
 * before. Thread-safe.
 */
final class FieldTable {

    /** Names beyond that are read, too, but not kept. */
    private static final int MOST = 1_024;

    /** Nor are longer ones: a property's name has 255 characters at most, and a type's a suffix. */
    private static final int LONGEST = 300;

    private final Map<String, Field> known = new ConcurrentHashMap<>();
    private final ToIntFunction<String> properties;
    private final ToIntFunction<String> types;
    private final Field start;

    /**
     * A table that asks once for each name.
     *
     * @param properties the index of a property, negative if nobody wants it
     * @param types the same for its type
     */
    FieldTable(ToIntFunction<String> properties, ToIntFunction<String> types) {
        this.properties = properties;
        this.types = types;
        this.start = Field.of("", name -> -1, name -> -1);
    }

    /** What comes before the first name of a row. */
    Field start() {
        return start;
    }

    /** Passes over the name of a row's next field. */
    Field after(Field before, JsonCursor json) throws IOException {
        Field likely = before.next();
        if (likely != null && json.passes(likely.wire())) {
            return likely;
        }
        Field second = likely == null ? null : likely.next();
        if (second != null && json.passes(second.wire())) {
            return second;
        }
        String name = json.name();
        if (name.length() > LONGEST) {
            return Field.of(name, properties, types);
        }
        Field found = named(name);
        before.next(found);
        return found;
    }

    private Field named(String name) {
        @Nullable Field found = known.get(name);
        if (found == null) {
            found = Field.of(name, properties, types);
            if (known.size() < MOST) {
                known.put(name, found);
            }
        }
        return found;
    }
}
