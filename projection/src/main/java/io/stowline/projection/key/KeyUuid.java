package io.stowline.projection.key;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A UUID in its 36 characters of lower case. */
record KeyUuid(String name) implements KeyPart {

    private static final int CHARS = 36;

    @Override
    public int width() {
        return CHARS;
    }

    @Override
    public String write(Object value) {
        return typed(UUID.class, value).toString();
    }

    @Override
    public Object read(String key, int start, int end) {
        String text = key.substring(start, end);
        UUID uuid = uuid(text);
        if (uuid == null || !uuid.toString().equals(text)) {
            throw unreadable(start, "a UUID in lower case");
        }
        return uuid;
    }

    private static @Nullable UUID uuid(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
