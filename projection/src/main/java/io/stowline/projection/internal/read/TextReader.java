package io.stowline.projection.internal.read;

import java.time.DateTimeException;
import java.util.function.Function;

/** Every type that travels as text: strings, times, UUIDs, bytes, enums and durations. */
final class TextReader extends ValueReader {

    private final Function<String, ?> parser;

    /** The parser throws {@code IllegalArgumentException} or {@code DateTimeException} for text that it cannot read. */
    TextReader(Target target, Function<String, ?> parser) {
        super(target);
        this.parser = parser;
    }

    @Override
    public void text(ComponentRow row, String value) {
        Object parsed;
        try {
            parsed = parser.apply(value);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw refused(value, e);
        }
        row.put(position(), parsed);
    }
}
