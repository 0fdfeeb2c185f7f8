package io.stowline.system.recordings;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Target of a request: its path behind the host, and its query.
 *
 * @param path with its percent escapes
 * @param query without its question mark; may be empty
 */
record RequestTarget(String path, String query) {

    static RequestTarget of(String target) {
        int query = target.indexOf('?');
        return query < 0
                ? new RequestTarget(target, "")
                : new RequestTarget(target.substring(0, query), target.substring(query + 1));
    }

    /** Reads the target of an absolute address. */
    static RequestTarget ofAddress(String address) {
        int path = address.indexOf('/', address.indexOf("://") + 3);
        return of(path < 0 ? "/" : address.substring(path));
    }

    /** Returns the decoded segments of the path. */
    List<String> segments() {
        return Stream.of(path.split("/"))
                .filter(segment -> !segment.isEmpty())
                .map(RequestTarget::decoded)
                .toList();
    }

    /** Returns the decoded path without its first segment, which names the account. */
    String pathBehindAccount() {
        int second = path.indexOf('/', 1);
        return second < 0 ? "/" : decoded(path.substring(second));
    }

    String decodedPath() {
        return decoded(path);
    }

    Map<String, String> parameters() {
        Map<String, String> found = new LinkedHashMap<>();
        for (String parameter : query.split("&")) {
            int value = parameter.indexOf('=');
            if (value > 0) {
                found.put(
                        URLDecoder.decode(parameter.substring(0, value), StandardCharsets.UTF_8),
                        URLDecoder.decode(parameter.substring(value + 1), StandardCharsets.UTF_8));
            }
        }
        return found;
    }

    @Nullable
    String parameter(String name) {
        return parameters().get(name);
    }

    boolean has(String name) {
        return parameters().containsKey(name);
    }

    boolean is(String name, String value) {
        return value.equals(parameter(name));
    }

    /** A plus of a path is a plus. */
    private static String decoded(String path) {
        return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
