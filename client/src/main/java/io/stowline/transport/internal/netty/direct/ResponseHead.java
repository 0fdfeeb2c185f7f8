package io.stowline.transport.internal.netty.direct;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.transport.internal.http.StorageResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status and headers of a response, kept as the bytes that came; names and values become strings on demand.
 * Immutable.
 */
final class ResponseHead implements StorageResponse.Headers {

    /** The begin and end of a name, and then of its value. */
    static final int PLACES = 4;

    private final int status;
    private final byte[] bytes;
    private final int[] places;

    /**
     * Makes a response's head.
     *
     * @param bytes all of it; the head keeps the array
     * @param places for each header its {@link #PLACES} in the bytes; the head keeps the array
     */
    ResponseHead(int status, byte[] bytes, int[] places) {
        this.status = status;
        this.bytes = bytes;
        this.places = places;
    }

    int status() {
        return status;
    }

    boolean success() {
        return status / 100 == 2;
    }

    @Override
    public @Nullable String value(HttpHeaderName name) {
        int place = place(name);
        return place < 0 ? null : text(bytes, places[place + 2], places[place + 3]);
    }

    /** Makes no string, since each response is checked for the headers of the service. */
    @Override
    public boolean has(HttpHeaderName name) {
        return place(name) >= 0;
    }

    private int place(HttpHeaderName name) {
        String wanted = name.getCaseInsensitiveName();
        for (int i = 0; i < places.length; i += PLACES) {
            if (same(bytes, places[i], places[i + 1], wanted)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public Map<String, String> startingWith(String prefix) {
        Map<String, String> found = new HashMap<>();
        String wanted = prefix.toLowerCase(Locale.ROOT);
        for (int i = 0; i < places.length; i += PLACES) {
            int rest = places[i] + wanted.length();
            if (rest <= places[i + 1] && same(bytes, places[i], rest, wanted)) {
                found.put(text(bytes, rest, places[i + 1]), text(bytes, places[i + 2], places[i + 3]));
            }
        }
        return found;
    }

    /** Returns whether these bytes are this text in any case. */
    static boolean same(byte[] bytes, int from, int to, String lowerCase) {
        if (to - from != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            int c = bytes[from + i];
            if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns a copy of all headers. */
    @Override
    public HttpHeaders all() {
        HttpHeaders copy = new HttpHeaders();
        for (int i = 0; i < places.length; i += PLACES) {
            copy.add(
                    HttpHeaderName.fromString(text(bytes, places[i], places[i + 1])),
                    text(bytes, places[i + 2], places[i + 3]));
        }
        return copy;
    }

    /** Returns bytes of a head as text. */
    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
