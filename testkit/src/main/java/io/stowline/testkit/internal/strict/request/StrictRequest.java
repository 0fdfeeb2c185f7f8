package io.stowline.testkit.internal.strict.request;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.internal.Targets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request, or one operation of a batch, as the rules look at it. Read once and kept; for one thread. */
public final class StrictRequest {

    /** Finds a header by its name in any case. */
    interface StrictHeaders {
        @Nullable
        String get(String name);
    }

    private final StorageService service;
    private final String sentMethod;
    private final String target;
    private final StrictHeaders headers;
    private final Bytes body;
    private @Nullable Map<String, String> query;
    private @Nullable TableAddress address;
    private boolean entityRead;
    private @Nullable EntityBody entity;

    StrictRequest(StorageService service, String sentMethod, String target, StrictHeaders headers, Bytes body) {
        this.service = service;
        this.sentMethod = sentMethod;
        this.target = target;
        this.headers = headers;
        this.body = body;
    }

    public static StrictRequest of(SentRequest request, StorageService service) {
        return new StrictRequest(
                service, request.method(), request.target(), request::header, Bytes.all(request.body()));
    }

    public StorageService service() {
        return service;
    }

    public String sentMethod() {
        return sentMethod;
    }

    /** Returns the method, that of {@code X-HTTP-Method} before that of the request line. */
    public String method() {
        return header("X-HTTP-Method", sentMethod).toUpperCase(Locale.ROOT);
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
    public String header(String name) {
        return headers.get(name);
    }

    public String header(String name, String otherwise) {
        String value = headers.get(name);
        return value == null ? otherwise : value;
    }

    public boolean isRead() {
        return sentMethod.equals("GET") || sentMethod.equals("HEAD") || sentMethod.equals("OPTIONS");
    }

    public boolean isSigned() {
        return header("Authorization", "").startsWith("SharedKey");
    }

    /** Returns whether the service version is older than a date; false for a request without a version. */
    public boolean isOlderThan(String version) {
        String requested = header("x-ms-version");
        return requested != null && requested.compareTo(version) < 0;
    }

    /** Returns the raw path below the account's name, which is its first part, without a leading slash. */
    public String resource() {
        String path = Targets.path(target);
        int account = path.indexOf('/', 1);
        return account < 0 ? "" : path.substring(account + 1);
    }

    /** Returns the address after the last slash, for the table service. */
    public TableAddress address() {
        if (address == null) {
            address = TableAddress.of(Targets.path(target));
        }
        return address;
    }

    /** Returns the entity in the body; empty when there is none. */
    public Optional<EntityBody> entity() {
        if (!entityRead) {
            entityRead = true;
            entity = EntityBody.of(body).orElse(null);
        }
        return Optional.ofNullable(entity);
    }
}
