package io.stowline.table.internal;

import org.jspecify.annotations.Nullable;

/** Collects the query of a URL; every value is percent-encoded here and nowhere else. */
final class QueryString {

    private final WireBytes out = new WireBytes();

    QueryString add(String name, @Nullable String value) {
        if (value != null) {
            out.one(out.size() == 0 ? '?' : '&').ascii(name).one('=').url(value);
        }
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
