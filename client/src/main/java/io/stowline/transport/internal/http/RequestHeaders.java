package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A list of the headers of one request, in the order in which they were set; each name stands in it once, in any case. Not thread-safe. Its
 * {@code toString} shows no values, since some are secrets.
 */
public final class RequestHeaders {

    /** More than most requests have. */
    private static final int CAPACITY = 12;

    private HttpHeaderName[] names;
    private String[] values;
    private int size;
    /** A bit for the hash of each name, since most lookups find nothing. */
    private long hashes;

    /** An empty list. */
    public RequestHeaders() {
        names = new HttpHeaderName[CAPACITY];
        values = new String[CAPACITY];
    }

    private RequestHeaders(RequestHeaders from) {
        names = from.names.clone();
        values = from.values.clone();
        size = from.size;
        hashes = from.hashes;
    }

    /** Returns a list of the headers of a request that is not the library's; several values of a name are one, with commas between them. */
    public static RequestHeaders of(HttpHeaders headers) {
        RequestHeaders list = new RequestHeaders();
        for (HttpHeader header : headers) {
            list.set(HttpHeaderName.fromString(header.getName()), header.getValue());
        }
        return list;
    }

    /** Returns the headers in the form that policies and HTTP clients of azure-core take. */
    HttpHeaders toHttpHeaders() {
        HttpHeaders map = new HttpHeaders();
        for (int i = 0; i < size; i++) {
            map.set(names[i], values[i]);
        }
        return map;
    }

    /** Returns another list with the same headers. */
    public RequestHeaders copy() {
        return new RequestHeaders(this);
    }

    /** Returns the number of headers. */
    public int size() {
        return size;
    }

    /** Returns the name of a header, with the case that goes out. */
    public String name(int index) {
        return names[index].getCaseSensitiveName();
    }

    /** Returns the value of a header by its place in the list. */
    public String value(int index) {
        return values[index];
    }

    /** Returns the value of the header with this name, or {@code null} if it is not set. */
    public @Nullable String value(HttpHeaderName name) {
        int found = indexOf(name);
        return found < 0 ? null : values[found];
    }

    /** Returns whether a header with this name is set. */
    public boolean has(HttpHeaderName name) {
        return indexOf(name) >= 0;
    }

    /** Sets a header, in place of one with the same name. */
    public RequestHeaders set(HttpHeaderName name, String value) {
        int at = indexOf(name);
        if (at < 0) {
            at = size++;
            if (at == names.length) {
                names = Arrays.copyOf(names, 2 * at);
                values = Arrays.copyOf(values, 2 * at);
            }
            hashes |= bit(name);
        }
        names[at] = name;
        values[at] = value;
        return this;
    }

    /** Removes the header with this name, if it is set. */
    public RequestHeaders remove(HttpHeaderName name) {
        int found = indexOf(name);
        if (found >= 0) {
            size--;
            System.arraycopy(names, found + 1, names, found, size - found);
            System.arraycopy(values, found + 1, values, found, size - found);
        }
        return this;
    }

    private int indexOf(HttpHeaderName name) {
        if ((hashes & bit(name)) != 0) {
            for (int i = 0; i < size; i++) {
                if (name.equals(names[i])) {
                    return i;
                }
            }
        }
        return -1;
    }

    private static long bit(HttpHeaderName name) {
        return 1L << name.hashCode();
    }

    @Override
    public String toString() {
        return "RequestHeaders" + Arrays.toString(Arrays.copyOf(names, size));
    }
}
