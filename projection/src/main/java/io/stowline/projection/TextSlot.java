package io.stowline.projection;

import java.time.DateTimeException;
import java.util.function.Function;

/** Every type that travels as text: strings, times, UUIDs, bytes, enums and durations. */
final class TextSlot extends Slot {

    private final Function<String, ?> parser;

    /** The parser throws {@code IllegalArgumentException} or {@code DateTimeException} for text that it cannot read. */
    TextSlot(Target target, Function<String, ?> parser) {
        super(target);
        this.parser = parser;
    }

    @Override
    void text(Row row, String value) {
        Object parsed;
        try {
            parsed = parser.apply(value);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw refused(value, e);
        }
        row.put(position(), parsed);
    }
}
