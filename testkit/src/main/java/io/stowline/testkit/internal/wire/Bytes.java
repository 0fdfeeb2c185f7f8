package io.stowline.testkit.internal.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Arrays;

/** Part of a larger array, which is not copied and must not change. */
public final class Bytes {

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final byte[] array;
    private final int from;
    private final int to;

    private Bytes(byte[] array, int from, int to) {
        this.array = array;
        this.from = from;
        this.to = to;
    }

    public static Bytes all(byte[] array) {
        return new Bytes(array, 0, array.length);
    }

    /** Returns the part between two offsets of this one. */
    Bytes part(int first, int end) {
        return new Bytes(array, from + first, from + end);
    }

    /** Returns the bytes as an array, which must not change. */
    public byte[] toArray() {
        return length() == array.length ? array : Arrays.copyOfRange(array, from, to);
    }

    public int length() {
        return to - from;
    }

    public boolean isEmpty() {
        return to <= from;
    }

    InputStream stream() {
        return new ByteArrayInputStream(array, from, length());
    }

    JsonParser json() throws IOException {
        return JSON.createParser(array, from, length());
    }

    String text(Charset charset) {
        return new String(array, from, length(), charset);
    }
}
