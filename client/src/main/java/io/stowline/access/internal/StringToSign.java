package io.stowline.access.internal;

import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.account.Service;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strings that signatures are made of: the fields of one kind in the service's order, a line each, also those without a value (its pages "Create a
 * service SAS", "Create an account SAS" and "Create a user delegation SAS"). Newer versions have more lines, so that the field {@code sv} decides. Stateless.
 */
final class StringToSign {

    private static final String RESOURCE = "resource";
    private static final String SNAPSHOT = "snapshot";
    /** A line without a value. */
    private static final String NONE = "";

    private static final String ENCRYPTION_SCOPES = "2020-12-06";
    private static final String DELEGATED_USERS = "2025-07-05";
    private static final String SIGNED_REQUESTS = "2026-04-06";

    private StringToSign() {}

    /** Returns the string of an account's signature, which ends with a line end. */
    static String account(SasFields fields) {
        List<String> lines = new ArrayList<>(List.of(RESOURCE, "sp", "ss", "srt", "st", "se", "sip", "spr", "sv"));
        if (since(ENCRYPTION_SCOPES, fields)) {
            lines.add("ses");
        }
        lines.add(NONE);
        return joined(lines, fields);
    }

    /** Returns the string for the resource of one service. */
    static String service(Service service, SasFields fields, @Nullable DelegationKey key) {
        List<String> lines = new ArrayList<>(List.of("sp", "st", "se", RESOURCE));
        if (key == null) {
            lines.add("si");
        } else {
            addKey(lines, service, fields);
        }
        lines.addAll(List.of("sip", "spr", "sv"));
        switch (service) {
            case BLOB -> addBlob(lines, fields, key != null);
            case TABLE -> lines.addAll(List.of("spk", "srk", "epk", "erk"));
            case QUEUE -> {}
        }
        return joined(lines, fields);
    }

    private static void addKey(List<String> lines, Service service, SasFields fields) {
        lines.addAll(DelegationKey.PARAMETERS);
        if (service == Service.BLOB) {
            lines.addAll(List.of("saoid", "suoid", "scid"));
        }
        if (service != Service.BLOB || since(DELEGATED_USERS, fields)) {
            lines.addAll(List.of("skdutid", "sduoid"));
        }
    }

    private static void addBlob(List<String> lines, SasFields fields, boolean delegated) {
        lines.addAll(List.of("sr", SNAPSHOT));
        if (since(ENCRYPTION_SCOPES, fields)) {
            lines.add("ses");
        }
        if (delegated && since(SIGNED_REQUESTS, fields)) {
            lines.addAll(List.of("srh", "srq"));
        }
        lines.addAll(List.of("rscc", "rscd", "rsce", "rscl", "rsct"));
    }

    private static boolean since(String version, SasFields fields) {
        return fields.value(SasFields.VERSION).compareTo(version) >= 0;
    }

    private static String joined(List<String> lines, SasFields fields) {
        return String.join("\n", lines.stream().map(line -> line(line, fields)).toList());
    }

    /** A line break in a value would make it sign for two lines, and so for other fields. */
    private static String line(String name, SasFields fields) {
        String value =
                switch (name) {
                    case RESOURCE -> fields.resource();
                    case SNAPSHOT -> fields.snapshot();
                    default -> fields.value(name);
                };
        if (value.indexOf('\n') >= 0) {
            throw new IllegalArgumentException(
                    "no signature can be made for a " + name + " with a line break: " + PrintableText.of(value));
        }
        return value;
    }
}
