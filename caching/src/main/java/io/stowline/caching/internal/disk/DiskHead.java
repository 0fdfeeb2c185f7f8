package io.stowline.caching.internal.disk;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an answer besides its body. Immutable.
 *
 * @param status the HTTP status
 * @param headers the headers, by name; copied
 * @param validatedAtMillis when the service last said that this is what there is, in milliseconds since 1970
 */
record DiskHead(int status, Map<String, String> headers, long validatedAtMillis) {

    /**
     * Takes the headers as they are now.
     *
     * @param status the HTTP status
     * @param validatedAtMillis the time
     */
    DiskHead {
        headers = Map.copyOf(headers);
    }

    /** A header whatever the case of its name, or null. */
    @Nullable
    String header(String name) {
        for (Map.Entry<String, String> header : headers.entrySet()) {
            if (header.getKey().equalsIgnoreCase(name)) {
                return header.getValue();
            }
        }
        return null;
    }
}
