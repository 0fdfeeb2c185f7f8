package io.stowline.testkit.internal.strict;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.internal.wire.HttpDate;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A request that tries a rule, of no endpoint yet. Immutable. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StrictProbe(
        StorageService service,
        String method,
        String path,
        Map<String, String> headers,
        byte[] body,
        Authorization authorization) {

    public static final String ACCOUNT = "devstoreaccount1";

    /** The authorization of a probe. */
    public enum Authorization {
        KEY,
        SAS
    }

    public static StrictProbe table(String method, String path) {
        return new StrictProbe(StorageService.TABLE, method, path, Map.of(), new byte[0], Authorization.KEY)
                .header("x-ms-version", "2020-12-06")
                .header("DataServiceVersion", "3.0")
                .header("Accept", "application/json;odata=nometadata");
    }

    public static StrictProbe queue(String method, String path) {
        return new StrictProbe(StorageService.QUEUE, method, path, Map.of(), new byte[0], Authorization.KEY)
                .header("x-ms-version", "2024-11-04");
    }

    public static StrictProbe blob(String method, String path) {
        return new StrictProbe(StorageService.BLOB, method, path, Map.of(), new byte[0], Authorization.KEY)
                .header("x-ms-version", "2024-11-04");
    }

    public StrictProbe header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new StrictProbe(service, method, path, more, body, authorization);
    }

    public StrictProbe withoutHeader(String name) {
        Map<String, String> less = new LinkedHashMap<>(headers);
        less.remove(name);
        return new StrictProbe(service, method, path, less, body, authorization);
    }

    public StrictProbe body(String contentType, String text) {
        return header("Content-Type", contentType).body(text.getBytes(StandardCharsets.UTF_8));
    }

    public StrictProbe body(byte[] bytes) {
        return new StrictProbe(service, method, path, headers, bytes, authorization);
    }

    public StrictProbe json(String text) {
        return body("application/json", text);
    }

    /** Signs the probe by a shared access signature of these parameters in place of a signature by key. */
    public StrictProbe sas(Map<String, String> parameters) {
        String query = parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + Sas.encoded(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return new StrictProbe(
                service, method, path + (path.contains("?") ? "&" : "?") + query, headers, body, Authorization.SAS);
    }

    /** The request as the proxy sees it, with a signature that is none. */
    public SentRequest toRequest(Instant now) {
        Map<String, String> sent = new LinkedHashMap<>(headers);
        if (authorization == Authorization.KEY) {
            sent.putIfAbsent("x-ms-date", HttpDate.format(now));
            sent.putIfAbsent("Authorization", "SharedKey " + ACCOUNT + ":c2lnbmF0dXJl");
        }
        sent.values().removeIf(String::isEmpty);
        return SentRequest.of(method, "/" + ACCOUNT + path, sent, body).withService(service);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
