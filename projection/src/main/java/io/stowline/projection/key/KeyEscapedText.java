package io.stowline.projection.key;

import io.stowline.projection.internal.edm.CodePoints;

/** Any text, with what a key cannot hold escaped by {@link KeyEscapes}. */
record KeyEscapedText(String name, KeyEscapes escapes) implements KeyPart {

    @Override
    public int width() {
        return ANY_WIDTH;
    }

    @Override
    public String write(Object value) {
        String text = typed(String.class, value);
        int unpaired = CodePoints.firstUnpaired(text);
        if (unpaired >= 0) {
            throw new IllegalArgumentException(name + ": " + CodePoints.name(text, unpaired) + " at position "
                    + unpaired + " is a surrogate without its partner");
        }
        return escapes.escape(text);
    }

    @Override
    public Object read(String key, int start, int end) {
        StringBuilder text = new StringBuilder(end - start);
        int position = start;
        while (position < end) {
            int width = escapes.read(key, position, end, text);
            if (width == 0) {
                throw unreadable(position, "escaped text");
            }
            position += width;
        }
        return text.toString();
    }
}
