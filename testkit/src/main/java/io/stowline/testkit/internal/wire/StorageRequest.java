package io.stowline.testkit.internal.wire;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Request to a service, or one operation of a batch, taken apart. Each part is read once, when it is needed; for one thread. */
public final class StorageRequest {

    private static final String METADATA = "x-ms-meta-";

    private final StorageService service;
    private final String sentMethod;
    private final String target;
    private final List<Map.Entry<String, String>> headers;
    private final Bytes body;
    private final String resource;
    private @Nullable Map<String, String> query;
    private @Nullable TableAddress address;
    private boolean entityRead;
    private @Nullable EntityBody entity;

    private StorageRequest(
            StorageService service,
            String sentMethod,
            String target,
            List<Map.Entry<String, String>> headers,
            Bytes body,
            String resource) {
        this.service = service;
        this.sentMethod = sentMethod;
        this.target = target;
        this.headers = headers;
        this.body = body;
        this.resource = resource;
    }

    private StorageRequest(SentRequest sent, StorageService service, String resource) {
        this(service, sent.method(), sent.target(), sent.headerLines(), Bytes.all(sent.body()), resource);
    }

    /** Reads a request whose path begins with the account's name, as those to an emulator do. */
    public static StorageRequest of(SentRequest sent, StorageService service) {
        int account = sent.path().indexOf('/', 1);
        String resource = account < 0 ? "" : sent.path().substring(account + 1);
        return new StorageRequest(sent, service, resource);
    }

    /** Reads a request whose host has the account's name. */
    public static StorageRequest atHost(SentRequest sent, StorageService service) {
        return new StorageRequest(sent, service, sent.path().replaceFirst("^/", ""));
    }

    /** Makes an operation of this batch, whose body is a part of the batch's. */
    StorageRequest operation(String verb, String url, List<Map.Entry<String, String>> lines, Bytes content) {
        return new StorageRequest(service, verb, url, lines, content, "");
    }

    public StorageService service() {
        return service;
    }

    public String sentMethod() {
        return sentMethod;
    }

    /** Returns the method: that of {@code X-HTTP-Method} before that of the request line. */
    public String method() {
        return header("X-HTTP-Method", sentMethod).toUpperCase(Locale.ROOT);
    }

    /** Returns the path, decoded. */
    public String path() {
        return Targets.decodedPath(Targets.path(target));
    }

    public Bytes body() {
        return body;
    }

    public Map<String, String> query() {
        if (query == null) {
            query = Targets.query(target);
        }
        return query;
    }

    @Nullable
    public String parameter(String name) {
        return query().get(name);
    }

    public boolean has(String parameter, String value) {
        return value.equals(parameter(parameter));
    }

    @Nullable
    public String header(String name) {
        return HeaderLines.joined(headers, name);
    }

    public String header(String name, String otherwise) {
        String value = header(name);
        return value == null ? otherwise : value;
    }

    /** Returns the metadata by name, the prefix of the headers left out. */
    public Map<String, String> metadata() {
        Map<String, String> metadata = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach(line -> {
            if (line.getKey().regionMatches(true, 0, METADATA, 0, METADATA.length())) {
                metadata.merge(
                        line.getKey().substring(METADATA.length()), line.getValue(), (one, other) -> one + "," + other);
            }
        });
        return metadata;
    }

    public boolean isRead() {
        return sentMethod.equals("GET") || sentMethod.equals("HEAD") || sentMethod.equals("OPTIONS");
    }

    public boolean isSigned() {
        return header("Authorization", "").startsWith("SharedKey");
    }

    /** Returns whether the service version is older than a date; a request without a version is not. */
    public boolean isOlderThan(String version) {
        String requested = header("x-ms-version");
        return requested != null && requested.compareTo(version) < 0;
    }

    /** Returns the raw path below the account, without a leading slash. */
    String resource() {
        return resource;
    }

    /** Returns the address after the last slash, of a request to the table service. */
    public TableAddress address() {
        if (address == null) {
            address = TableAddress.of(Targets.path(target));
        }
        return address;
    }

    /** Returns the entity in the body; empty when the body is none. */
    public Optional<EntityBody> entity() {
        if (!entityRead) {
            entityRead = true;
            entity = EntityBody.of(body).orElse(null);
        }
        return Optional.ofNullable(entity);
    }

    /** Names method, path and query, decoded, with the parameters in the order of their names. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(method()).append(' ').append(path());
        new TreeMap<>(query()).forEach((name, value) -> text.append(text.indexOf("?") < 0 ? '?' : '&')
                .append(name)
                .append('=')
                .append(value));
        return text.toString();
    }
}
