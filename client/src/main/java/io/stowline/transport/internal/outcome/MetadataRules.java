package io.stowline.transport.internal.outcome;

import io.stowline.error.AuthenticationException;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.request.HeaderValues;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The services' rules for metadata, of which names and values travel as headers (their pages on metadata). */
public final class MetadataRules {

    /** The most that all names and values together may hold. */
    static final int MAX_BYTES = StorageLimits.METADATA_MAX_BYTES;

    /** The C# identifiers that can be the name of a header. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /** The value of a header, whose bytes are read as characters. */
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7E\\x80-\\xFF]*");

    private MetadataRules() {}

    /**
     * Checks metadata.
     *
     * @param metadata names and values
     * @return a copy of it
     * @throws IllegalArgumentException if a name is no identifier, stands there twice or is reserved, a value cannot stand in a
     *     header, or all of it is too large
     */
    public static Map<String, String> check(Map<String, String> metadata) {
        return check(metadata, Map.of());
    }

    /**
     * Checks what takes the place of stored metadata. The rules are for new ones: the service may hold others, which another writer has
     * stored, and a change of one value keeps them.
     *
     * @param stored reads the metadata that are there, if there is something that the rules refuse
     * @return a copy of it; an {@link IllegalArgumentException} as in {@link #check(Map)}
     */
    public static Mono<Map<String, String>> changed(
            Map<String, String> metadata, Supplier<Mono<Map<String, String>>> stored) {
        try {
            return Mono.just(check(metadata));
        } catch (IllegalArgumentException refused) {
            // What is refused of stored ones, too, needs no look.
            check(metadata, metadata);
            return stored.get()
                    .onErrorMap(AuthenticationException.class, unreadable -> refused)
                    .map(old -> check(metadata, old));
        }
    }

    private static Map<String, String> check(Map<String, String> metadata, Map<String, String> stored) {
        Objects.requireNonNull(metadata, "metadata");
        Map<String, String> seen = new HashMap<>();
        int size = 0;
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            String name = entry.getKey();
            boolean kept = entry.getValue() != null
                    && entry.getValue().equals(stored.get(name))
                    && TOKEN.matcher(name).matches()
                    && VALUE.matcher(entry.getValue()).matches();
            if (!kept && !NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("the metadata name '" + PrintableText.of(name)
                        + "' must be an identifier: letters, digits and '_', the first no digit");
            }
            if (WriteIdMetadata.is(name)) {
                throw new IllegalArgumentException("the metadata name '" + PrintableText.of(name)
                        + "' is reserved: writes leave their marker under it");
            }
            if (SourceTime.is(name)) {
                throw new IllegalArgumentException("the metadata name '" + PrintableText.of(name)
                        + "' is reserved: transfers of directories keep the time of a file under it");
            }
            if (OriginalContent.is(name)) {
                throw new IllegalArgumentException("the metadata name '" + PrintableText.of(name)
                        + "' is reserved: compressed uploads keep the length and the MD5 of their content under it");
            }
            String other = seen.put(name.toLowerCase(Locale.ROOT), name);
            if (other != null) {
                throw new IllegalArgumentException("the metadata name '" + PrintableText.of(name)
                        + "' is there twice, as '" + PrintableText.of(other)
                        + "' too: the service does not tell cases apart; change metadata that were read in a TreeMap"
                        + " with String.CASE_INSENSITIVE_ORDER");
            }
            if (!kept) {
                HeaderValues.check("the metadata value of '" + name + "'", entry.getValue());
            }
            size += name.length() + entry.getValue().length();
        }
        if (size > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the metadata has " + size + " bytes in names and values, more than the limit of " + MAX_BYTES);
        }
        return Map.copyOf(metadata);
    }

    /**
     * Returns a new marker, or {@code null} where this metadata leaves no room for one: a marker never breaks a write
     * (OUTCOME-8).
     */
    public static @Nullable String markBeside(Map<String, String> metadata) {
        int size = metadata.entrySet().stream()
                .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
        return size + WriteIdMetadata.SIZE > MAX_BYTES ? null : WriteIdMetadata.newId();
    }
}
