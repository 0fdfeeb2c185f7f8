package io.stowline.transport.internal.account;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of a connection string by their names in lower case. Values are never shown: they may be keys. */
final class ConnectionSettings {

    private static final Set<String> KNOWN = Set.of(
            "usedevelopmentstorage",
            "developmentstorageproxyuri",
            "defaultendpointsprotocol",
            "endpointsuffix",
            "accountname",
            "accountkey",
            "sharedaccesssignature",
            "blobendpoint",
            "queueendpoint",
            "tableendpoint",
            "fileendpoint",
            "blobsecondaryendpoint",
            "queuesecondaryendpoint",
            "tablesecondaryendpoint",
            "filesecondaryendpoint");

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z]{1,40}");

    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z]{1,8}");

    /** Files of Windows begin with it. */
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private final Map<String, String> values = new TreeMap<>();

    static ConnectionSettings read(String text) {
        ConnectionSettings settings = new ConnectionSettings();
        String escape = SasCredential.foreignEscape(text);
        if (escape != null) {
            throw new IllegalArgumentException("the connection string has " + escape
                    + " (the rest is not shown): a copy out of XML or JSON. Give the text that it stands for");
        }
        for (String part : (text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text).split(";", -1)) {
            if (!part.isBlank()) {
                settings.add(part);
            }
        }
        return settings;
    }

    private void add(String part) {
        int equals = part.indexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException(
                    "the connection string has a part without 'Name=value' (the part is not shown, it may be a key)");
        }
        String name = part.substring(0, equals).trim();
        String value = part.substring(equals + 1).trim();
        String key = name.toLowerCase(Locale.ROOT);
        if (!KNOWN.contains(key)) {
            throw unknown(name, value);
        }
        if (values.put(key, value) != null) {
            throw new IllegalArgumentException("the connection string has the setting " + name + " twice");
        }
    }

    private static IllegalArgumentException unknown(String name, String value) {
        if (name.equalsIgnoreCase("AccountEndpoint")) {
            // Cosmos DB's own form of connection string; refused by its name if that is what it is.
            Endpoint.of(name, value);
        }
        boolean plain = PLAIN_NAME.matcher(name).matches();
        return new IllegalArgumentException("the connection string has an unknown setting"
                + (plain ? ": " + name : " (its name is not shown, it may be a key)"));
    }

    /** Returns the value of a setting, or {@code null} if it is missing or empty. */
    @Nullable
    String value(String name) {
        String value = values.get(name.toLowerCase(Locale.ROOT));
        return value == null || value.isEmpty() ? null : value;
    }

    /** Returns a value for an error: only a plain word is shown, as it cannot be a secret that went astray. */
    String shown(String name) {
        String value = value(name);
        return value != null && PLAIN_WORD.matcher(value).matches() ? value : "something else (not shown)";
    }

    boolean has(String name) {
        return values.containsKey(name.toLowerCase(Locale.ROOT));
    }

    boolean any(Predicate<String> name) {
        return values.keySet().stream().anyMatch(name);
    }

    /** Refuses all settings but these. */
    void allow(String why, Set<String> allowed) {
        for (String name : values.keySet()) {
            if (!allowed.contains(name)) {
                throw new IllegalArgumentException(why + ", but " + name + " is given too");
            }
        }
    }
}
