package io.stowline.advisor.internal.sdk;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;

/**
 * The verb of a request, by the name that Stowline gives the same request.
 *
 * @param name the verb, as {@code docs/attempts-and-verbs.md} lists them
 * @param write whether the request changes the store
 */
record SdkVerb(String name, boolean write) {

    private static final HttpHeaderName COPY_SOURCE = HttpHeaderName.fromString("x-ms-copy-source");
    private static final HttpHeaderName BLOB_TYPE = HttpHeaderName.fromString("x-ms-blob-type");
    private static final HttpHeaderName LEASE_ACTION = HttpHeaderName.fromString("x-ms-lease-action");
    private static final HttpHeaderName PAGE_WRITE = HttpHeaderName.fromString("x-ms-page-write");
    private static final HttpHeaderName CONTENT_LENGTH = HttpHeaderName.fromString("x-ms-blob-content-length");
    private static final HttpHeaderName METHOD = HttpHeaderName.fromString("X-HTTP-Method");

    static SdkVerb of(SdkAddress address, HttpMethod method, HttpHeaders headers) {
        boolean reads = method == HttpMethod.GET || method == HttpMethod.HEAD;
        if (address.parameter("restype").equals("service")
                || address.parameter("comp").equals("stats")) {
            boolean key = address.isAbout("userdelegationkey");
            return new SdkVerb(key ? "userDelegationKey" : reads ? "serviceInfo" : "setServiceInfo", !reads && !key);
        }
        if (address.isAbout("acl")) {
            return new SdkVerb(reads ? "listPolicies" : "replacePolicies", !reads);
        }
        String name =
                switch (address.service()) {
                    case "table" -> ofTable(address, method, headers);
                    case "queue" -> ofQueue(address, method, reads);
                    default ->
                        address.partition() == null
                                ? ofContainer(address, method, headers, reads)
                                : ofBlob(address, method, headers, reads);
                };
        return new SdkVerb(name, !reads);
    }

    private static String ofTable(SdkAddress address, HttpMethod method, HttpHeaders headers) {
        if (address.below().endsWith("$batch")) {
            return "transaction";
        }
        if (address.below().startsWith("Tables")) {
            return method == HttpMethod.POST ? "create" : method == HttpMethod.DELETE ? "drop" : "listTables";
        }
        if (address.row() == null) {
            return method == HttpMethod.POST ? "insert" : "query";
        }
        boolean conditional = headers.getValue(HttpHeaderName.IF_MATCH) != null;
        String tunneled = headers.getValue(METHOD);
        return switch (tunneled == null ? method.toString() : tunneled) {
            case "GET" -> "find";
            case "PUT" -> conditional ? "replace" : "insertOrReplace";
            case "DELETE" -> "delete";
            default -> conditional ? "merge" : "insertOrMerge";
        };
    }

    private static String ofQueue(SdkAddress address, HttpMethod method, boolean reads) {
        if (address.container().isEmpty()) {
            return "listQueues";
        }
        if (address.isAbout("metadata")) {
            return reads ? "info" : "setMetadata";
        }
        if (address.below().isEmpty()) {
            return method == HttpMethod.PUT ? "create" : "drop";
        }
        if (address.below().equals("messages")) {
            return switch (method.toString()) {
                case "POST" -> "send";
                case "DELETE" -> "clear";
                default -> address.parameter("peekonly").equals("true") ? "peek" : "receive";
            };
        }
        return method == HttpMethod.PUT ? "update" : "delete";
    }

    private static String ofContainer(SdkAddress address, HttpMethod method, HttpHeaders headers, boolean reads) {
        return switch (address.parameter("comp")) {
            case "list" -> address.container().isEmpty() ? "listContainers" : "list";
            case "blobs" -> "findByTags";
            case "batch" -> "deleteAll";
            case "metadata" -> "setMetadata";
            case "lease" -> lease(headers);
            case "undelete" -> "undelete";
            default -> reads ? "info" : method == HttpMethod.PUT ? "create" : "drop";
        };
    }

    private static String ofBlob(SdkAddress address, HttpMethod method, HttpHeaders headers, boolean reads) {
        boolean copied = headers.getValue(COPY_SOURCE) != null;
        return switch (address.parameter("comp")) {
            case "" -> ofContent(method, headers, copied);
            case "block", "blocklist" -> reads ? "info" : copied ? "copyFrom" : "upload";
            case "appendblock" -> copied ? "copyFrom" : "append";
            case "page" ->
                copied ? "copyFrom" : "clear".equalsIgnoreCase(headers.getValue(PAGE_WRITE)) ? "clear" : "write";
            case "pagelist" -> "ranges";
            case "properties" -> headers.getValue(CONTENT_LENGTH) == null ? "setHeaders" : "resize";
            case "metadata" -> reads ? "info" : "setMetadata";
            case "tags" -> reads ? "tags" : "setTags";
            case "tier" -> "setTier";
            case "snapshot" -> "snapshot";
            case "lease" -> lease(headers);
            case "undelete" -> "undelete";
            case "copy" -> "abort";
            default -> reads ? "info" : "setHeaders";
        };
    }

    private static String ofContent(HttpMethod method, HttpHeaders headers, boolean copied) {
        return switch (method.toString()) {
            case "GET" -> "download";
            case "HEAD" -> "info";
            case "DELETE" -> "delete";
            default -> {
                String type = headers.getValue(BLOB_TYPE);
                boolean content = type == null || type.equals("BlockBlob");
                yield copied ? (type == null ? "startCopy" : "copyFrom") : content ? "upload" : "create";
            }
        };
    }

    private static String lease(HttpHeaders headers) {
        String action = headers.getValue(LEASE_ACTION);
        return action == null || action.equals("acquire") ? "lease" : action + "Lease";
    }

    /** Returns whether the response has rows or messages that a judgement counts. */
    boolean returnsMany() {
        return name.equals("query") || name.equals("receive");
    }
}
