package io.stowline.table.simulation;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/** The rules for every request. */
final class RequestCheck {

    private static final Pattern QUERY = Pattern.compile("timeout=[1-9]\\d*");
    private static final List<String> NEEDED =
            List.of("authorization", "accept", "x-ms-version", "dataserviceversion", "user-agent");

    private RequestCheck() {}

    static Map<String, String> headers(HttpRequest request) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (HttpHeader header : request.getHeaders()) {
            headers.put(header.getName().toLowerCase(Locale.ROOT), header.getValue());
        }
        return headers;
    }

    static void of(HttpRequest request, Map<String, String> headers, byte[] body) throws Malformed {
        for (String name : NEEDED) {
            Malformed.unless(headers.containsKey(name), () -> "a request without " + name);
        }
        Malformed.unless(headers.containsKey("date") || headers.containsKey("x-ms-date"), "a request without a date");
        String id = headers.getOrDefault("x-ms-client-request-id", "");
        Malformed.unless(id.equals(UUID.fromString(id).toString()), () -> "the request id " + id);
        String length = headers.get("content-length");
        boolean fits = body.length == 0
                ? length == null || length.equals("0")
                : Integer.toString(body.length).equals(length);
        Malformed.unless(fits, () -> "Content-Length " + length + " for " + body.length + " bytes");
        String query = String.valueOf(request.getUrl().getQuery());
        Malformed.unless(QUERY.matcher(query).matches(), () -> "the query " + query);
    }

    /** The time that a request asks for, in seconds. */
    static int timeout(HttpRequest request) {
        return Integer.parseInt(request.getUrl().getQuery().substring("timeout=".length()));
    }
}
