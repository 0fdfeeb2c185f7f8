package io.stowline.transport.internal.request;

import io.stowline.transport.internal.account.Service;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The target of a request, as errors and listeners name it. Its text is made when it is read. Immutable.
 *
 * @param container the table, queue or container; empty for the account itself
 * @param partition the partition of a table, or the name of a blob; {@code null} if there is none or several
 * @param row the row of a table, or {@code null}
 * @param queryClass the part of a table that a read searches, or {@code null}
 * @param text the text for errors, or {@code null} for that of the other components
 */
public record RequestTarget(
        String container,
        @Nullable String partition,
        @Nullable String row,
        @Nullable String queryClass,
        @Nullable String text) {

    /** Returns the account as a target, or one that only its text describes. */
    public static RequestTarget ofAccount(String text) {
        return new RequestTarget("", null, null, null, text);
    }

    /** Returns a table, queue or container as a target. */
    public static RequestTarget of(String container) {
        return new RequestTarget(container, null, null, null, null);
    }

    /** Returns a target in a container that the text describes. */
    public static RequestTarget of(String container, String text) {
        return new RequestTarget(container, null, null, null, text);
    }

    /** Returns a named resource in a container. */
    public static RequestTarget named(String container, String name, @Nullable String text) {
        return new RequestTarget(container, name, null, null, text);
    }

    /**
     * Returns the text for errors, such as {@code registrations(partition, row)} or {@code photos/cat.jpg}.
     *
     * @return the resource
     */
    public String resource() {
        if (text != null) {
            return text;
        }
        if (row != null) {
            return container + "(" + partition + ", " + row + ")";
        }
        return partition == null ? container : container + "/" + partition;
    }

    /**
     * Reads the target from an address that an SDK client has made.
     *
     * @param account the account's name, which begins the path at an emulator
     * @param text the text for errors
     */
    public static RequestTarget inAddress(String url, String account, Service service, String text) {
        int query = url.indexOf('?');
        String address = query < 0 ? url : url.substring(0, query);
        int host = address.indexOf("://") + 3;
        int slash = address.indexOf('/', host);
        String path = slash < 0 ? "" : address.substring(slash + 1);
        if (!address.startsWith(account + ".", host) && (path + "/").startsWith(account + "/")) {
            path = path.substring(Math.min(path.length(), account.length() + 1));
        }
        int end = path.indexOf('/');
        String first = end < 0 ? path : path.substring(0, end);
        return switch (service) {
            case TABLE -> ofTable(first, text);
            case QUEUE -> of(first, text);
            case BLOB ->
                end < 0 || end + 1 == path.length()
                        ? of(first, text)
                        : named(first, decoded(path.substring(end + 1)), text);
        };
    }

    /** The keys of an entity are in brackets, in any order. */
    private static RequestTarget ofTable(String segment, String text) {
        int keys = segment.indexOf('(');
        String table = keys < 0 ? segment : segment.substring(0, keys);
        if (table.equals("Tables") || table.startsWith("$")) {
            return ofAccount(text);
        }
        String all = keys < 0 ? "" : decoded(segment.substring(keys));
        return new RequestTarget(table, key(all, "PartitionKey='"), key(all, "RowKey='"), null, text);
    }

    /** A quote within a key is doubled. */
    private static @Nullable String key(String keys, String name) {
        int at = keys.indexOf(name);
        if (at < 0) {
            return null;
        }
        StringBuilder key = new StringBuilder();
        for (int i = at + name.length(); i < keys.length(); i++) {
            char c = keys.charAt(i);
            if (c == '\'' && !keys.startsWith("''", i)) {
                return key.toString();
            }
            key.append(c);
            i += c == '\'' ? 1 : 0;
        }
        return null;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
