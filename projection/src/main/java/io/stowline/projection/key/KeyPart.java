package io.stowline.projection.key;

/** One part of a key format: how a value becomes text and is read again. Immutable. */
interface KeyPart {

    /** The width of a part that takes as many characters as its value needs. */
    int ANY_WIDTH = -1;

    String name();

    /** The number of characters, or {@link #ANY_WIDTH}. */
    int width();

    /** The text of a value; throws {@code IllegalArgumentException} naming the part, the value or position, and the limit. */
    String write(Object value);

    /** The value of what stands between two positions of a key; throws {@code IllegalArgumentException} naming part and position. */
    Object read(String key, int start, int end);

    default <V> V typed(Class<V> type, Object value) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    name() + ": a " + value.getClass().getName() + " is given, but it takes a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    default IllegalArgumentException unreadable(int position, String expected) {
        return new IllegalArgumentException("key: part " + name() + " at position " + position + " is not " + expected
                + "; this format did not make it");
    }
}
