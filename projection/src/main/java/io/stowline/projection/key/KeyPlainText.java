package io.stowline.projection.key;

import io.stowline.projection.internal.edm.KeyRules;

/** Text as it is. */
record KeyPlainText(String name, KeySeparator separator) implements KeyPart {

    @Override
    public int width() {
        return ANY_WIDTH;
    }

    @Override
    public String write(Object value) {
        String text = KeyRules.check(name, typed(String.class, value));
        int found = separator.positionIn(text);
        if (found >= 0) {
            throw new IllegalArgumentException(name + ": the separator '" + separator.text() + "' at position " + found
                    + " is not allowed in it; an escaped part takes any text");
        }
        return text;
    }

    @Override
    public Object read(String key, int start, int end) {
        String text = key.substring(start, end);
        int found = separator.positionIn(text);
        if (found >= 0) {
            throw unreadable(start + found, "text without the separator");
        }
        return text;
    }
}
