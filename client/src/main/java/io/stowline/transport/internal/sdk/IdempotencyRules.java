package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.request.OperationType;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effect of an SDK client's request on the store, and whether it may be repeated, by its method, its address and
 * its headers as the REST reference of the three services names them. An unknown request is not repeated.
 */
public final class IdempotencyRules {

    private static final HttpHeaderName BLOB_TYPE = HttpHeaderName.fromString("x-ms-blob-type");
    private static final HttpHeaderName COPY_SOURCE = HttpHeaderName.fromString("x-ms-copy-source");
    private static final HttpHeaderName LEASE_ACTION = HttpHeaderName.fromString("x-ms-lease-action");
    private static final HttpHeaderName SEQUENCE_ACTION = HttpHeaderName.fromString("x-ms-sequence-number-action");
    private static final HttpHeaderName IF_TAGS = HttpHeaderName.fromString("x-ms-if-tags");

    /** A PUT with one of these sets something whole, so that twice equals once. */
    private static final Set<String> SETTING = Set.of(
            "acl",
            "block",
            "blocklist",
            "expiry",
            "immutabilityPolicies",
            "legalhold",
            "metadata",
            "page",
            "properties",
            "tags",
            "tier");

    /** Requests whose content may come from another blob; a repeated copy of a whole blob starts twice. */
    private static final Set<String> SETTING_FROM_A_SOURCE = Set.of("block", "page");

    /** Queries that need a body. */
    private static final Set<String> REQUESTING = Set.of("query", "userdelegationkey");

    private final HttpMethod method;
    private final HttpHeaders headers;
    private final String path;
    private final @Nullable String comp;
    private final @Nullable String resourceType;

    private IdempotencyRules(HttpRequest request) {
        this.method = request.getHttpMethod();
        this.headers = request.getHeaders();
        this.path = request.getUrl().getPath();
        this.comp = parameter(request.getUrl().getQuery(), "comp");
        this.resourceType = parameter(request.getUrl().getQuery(), "restype");
    }

    public static OperationType effect(HttpRequest request) {
        IdempotencyRules seen = new IdempotencyRules(request);
        if (seen.reads()) {
            return OperationType.READ;
        }
        return seen.createsContainer() ? OperationType.CREATE : OperationType.WRITE;
    }

    /**
     * Returns whether a repetition leaves the store as the first execution did, and its response is as true as the
     * first would have been.
     */
    public static boolean twice(HttpRequest request) {
        IdempotencyRules seen = new IdempotencyRules(request);
        return seen.reads() || seen.sets();
    }

    private boolean reads() {
        return method == HttpMethod.GET
                || method == HttpMethod.HEAD
                || (method == HttpMethod.POST && comp != null && REQUESTING.contains(comp));
    }

    private boolean sets() {
        if (conditional()) {
            return false;
        }
        if (method == HttpMethod.PATCH) {
            return entity();
        }
        return method == HttpMethod.PUT && (comp == null ? setsBlobOrEntity() : setsPart(comp));
    }

    /** Every Put Blob has the type; a copy does not. */
    private boolean setsBlobOrEntity() {
        return has(BLOB_TYPE) || entity();
    }

    private boolean setsPart(String part) {
        if (part.equals("lease")) {
            return "renew".equals(headers.getValue(LEASE_ACTION));
        }
        return SETTING.contains(part)
                && (!has(COPY_SOURCE) || SETTING_FROM_A_SOURCE.contains(part))
                && !"increment".equals(headers.getValue(SEQUENCE_ACTION));
    }

    /** A condition {@code If-Match: *} holds after the first time as before it. */
    private boolean conditional() {
        String match = headers.getValue(HttpHeaderName.IF_MATCH);
        return (match != null && !match.equals("*"))
                || has(HttpHeaderName.IF_NONE_MATCH)
                || has(HttpHeaderName.IF_MODIFIED_SINCE)
                || has(HttpHeaderName.IF_UNMODIFIED_SINCE)
                || has(IF_TAGS);
    }

    private boolean entity() {
        return path.contains("(PartitionKey=") && !has(COPY_SOURCE);
    }

    private boolean createsContainer() {
        if (method == HttpMethod.POST) {
            return path.endsWith("/Tables");
        }
        return method == HttpMethod.PUT && comp == null && ("container".equals(resourceType) || createsQueue());
    }

    private boolean createsQueue() {
        return resourceType == null && !path.contains("/messages/") && !setsBlobOrEntity() && !has(COPY_SOURCE);
    }

    private boolean has(HttpHeaderName name) {
        return headers.getValue(name) != null;
    }

    private static @Nullable String parameter(@Nullable String query, String name) {
        if (query != null) {
            for (String pair : query.split("&", -1)) {
                if (pair.startsWith(name + "=")) {
                    return pair.substring(name.length() + 1);
                }
            }
        }
        return null;
    }
}
