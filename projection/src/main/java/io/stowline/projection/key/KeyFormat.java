package io.stowline.projection.key;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.internal.edm.Abbreviation;
import io.stowline.projection.key.KeyPart.KeyEscapedText;
import io.stowline.projection.key.KeyPart.KeyHash;
import io.stowline.projection.key.KeyPart.KeyNumber;
import io.stowline.projection.key.KeyPart.KeyPlainText;
import io.stowline.projection.key.KeyPart.KeyRandom;
import io.stowline.projection.key.KeyPart.KeyTime;
import io.stowline.projection.key.KeyPart.KeyUuid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The format of composite keys, and of names of blobs, containers and queues: it joins parts into one text, in an order that queries and
 * listings can use, and parses them again.
 *
 * <pre>{@code
 * KeyFormat bibs = KeyFormat.of().text("name").number("bib", 5).newestFirst("at");
 *
 * String key = bibs.format("John", 1234, Instant.now()); // John!01234!2516…
 * String johns = bibs.prefix("John");                    // John!
 * long bib = bibs.parse(key).number("bib");
 * }</pre>
 *
 * <p>Parts stand in the order of their declaration, with a separator between them. <b>With the separator {@code !} keys sort as the
 * tuples of their values do</b>: escaped text by its UTF-16 units, numbers and times as they count, reversed times the latest first.
 * Plain text does so too as long as it has no space, the only character below {@code !}. With another separator a text that begins
 * another one may come after it; all else sorts the same.
 *
 * <p>{@link #forBlobs}, {@link #forContainers} and {@link #forQueues} begin formats for names: what their service does not allow is
 * refused when a name is made.
 *
 * <p>A hash spreads keys that would all be at one end of the order over buckets: {@link #hashed}.
 *
 * <p>Immutable and safe for use by many threads: each step gives a new format. The text of keys is the same in every version of this
 * library. Each step that adds a part throws {@code IllegalArgumentException} for a name that is empty or taken.
 */
public final class KeyFormat {

    private final KeyTarget target;
    private final KeySeparator separator;
    private final @Nullable KeyHash hash;
    private final List<KeyPart> parts;

    private KeyFormat(KeyTarget target, KeySeparator separator, @Nullable KeyHash hash, List<KeyPart> parts) {
        this.target = target;
        this.separator = separator;
        this.hash = hash;
        this.parts = parts;
    }

    /**
     * Returns a format without parts whose separator is {@code !}.
     *
     * @return the format, to which parts are added
     */
    public static KeyFormat of() {
        return separatedBy(KeySeparator.DEFAULT);
    }

    /**
     * Returns a format without parts.
     *
     * @param separator what stands between the parts: visible ASCII, but no letter, no digit, none of {@code / \ # ?}, which keys cannot
     *     hold, and none of {@code " . > [ ~}, which begin escapes
     * @return the format, to which parts are added
     * @throws IllegalArgumentException if the character is another one
     */
    public static KeyFormat separatedBy(char separator) {
        return separatedBy(separator, 1);
    }

    /**
     * Returns a format without parts whose separator is repeated, so that plain text may have the single character in it.
     *
     * @param separator as in {@link #separatedBy(char)}
     * @param times 1 to 3
     * @return the format, to which parts are added
     * @throws IllegalArgumentException if the character or the number is out of these limits
     */
    public static KeyFormat separatedBy(char separator, int times) {
        return new KeyFormat(KeyTarget.ENTITY, KeySeparator.of(separator, times), null, List.of());
    }

    /**
     * Returns a format without parts for the names of blobs, whose separator is {@code !}. A name has 1 to 1,024 characters and at most 254
     * segments between {@code /}, none of which is empty or ends with a dot. Its plain text may have {@code /}, {@code #} and {@code ?},
     * which keys cannot hold.
     *
     * @return the format, to which parts are added
     */
    public static KeyFormat forBlobs() {
        return new KeyFormat(KeyTarget.BLOB, KeySeparator.of(KeySeparator.DEFAULT, 1), null, List.of());
    }

    /**
     * Returns a format without parts for the names of blobs, as {@link #forBlobs()}, in which each part is a folder. A text that begins
     * another one may come after it.
     *
     * @return the format with the separator {@code /}, to which parts are added
     */
    public static KeyFormat forBlobsInFolders() {
        return new KeyFormat(KeyTarget.BLOB, KeySeparator.FOLDERS, null, List.of());
    }

    /**
     * Returns a format without parts for the names of containers: 3 to 63 lower-case letters, digits and hyphens. The separator is
     * {@code -}, text has letters and digits only, and no text is escaped.
     *
     * @return the format, to which parts are added
     */
    public static KeyFormat forContainers() {
        return new KeyFormat(KeyTarget.CONTAINER, KeySeparator.HYPHEN, null, List.of());
    }

    /**
     * Returns a format without parts for the names of queues, whose rules are those of {@link #forContainers()}.
     *
     * @return the format, to which parts are added
     */
    public static KeyFormat forQueues() {
        return new KeyFormat(KeyTarget.QUEUE, KeySeparator.HYPHEN, null, List.of());
    }

    /**
     * Returns a format without parts whose separator is {@code !} and whose keys begin with a hash; see {@link #withHash}.
     *
     * @param buckets how many different hashes there are, 1 to 1,000
     * @return the format, to which parts are added
     * @throws IllegalArgumentException if the number is out of these limits
     */
    public static KeyFormat hashed(int buckets) {
        return of().withHash(buckets);
    }

    /**
     * Returns the same format with three digits of a hash of all the rest before it, for keys that are otherwise all written at one place,
     * such as ascending names. The hash is CRC-32C of the rest's UTF-8 bytes, modulo the number of buckets; parsing checks it.
     *
     * <p>A scan then needs a query per bucket ({@link #prefixes}), so take as few buckets as the load needs.
     *
     * @param buckets how many different hashes there are, 1 to 1,000; it cannot be changed later, as keys of old would not be found
     * @return the format with the hash
     * @throws IllegalArgumentException if the number is out of these limits
     * @throws IllegalStateException if the format has a hash
     */
    public KeyFormat withHash(int buckets) {
        if (hash != null) {
            throw new IllegalStateException("the format has a hash of " + hash.buckets() + " buckets");
        }
        return new KeyFormat(target, separator, new KeyHash(buckets), parts);
    }

    /**
     * Adds text that stands in the key as it is. It must hold only what keys, or the names that the format is for, hold, not the separator, and neither begin nor end with the
     * separator's character. It may be empty.
     *
     * @param name the part's name
     * @return the format with this part, whose values are {@code String}s
     */
    public KeyFormat text(String name) {
        return with(new KeyPlainText(name, separator, target));
    }

    /**
     * Adds any text, except that surrogates must have their partners. What a key cannot hold, spaces, the separator and a few characters
     * beside these become a character and two digits in such a way that the order stays.
     *
     * @param name the part's name
     * @return the format with this part, whose values are {@code String}s
     * @throws IllegalStateException if the format is for names of containers or queues, which hold no escapes
     */
    public KeyFormat escaped(String name) {
        if (target.isHyphenated()) {
            throw new IllegalStateException(
                    "escaped: a " + target.role() + " holds no escapes; text takes lower-case" + " letters and digits");
        }
        return with(new KeyEscapedText(name, new KeyEscapes(separator.character())));
    }

    /**
     * Adds a number with leading zeros, so that 2 comes before 10.
     *
     * @param name the part's name
     * @param digits how many digits it has, 1 to 18
     * @return the format with this part, whose values are integers from 0 to as many nines as there are digits
     * @throws IllegalArgumentException if the number of digits is out of these limits
     */
    public KeyFormat number(String name, int digits) {
        return with(new KeyNumber(name, digits));
    }

    /**
     * Adds a time, the oldest first: the steps of 100 ns since the beginning of the year 1, in 19 digits. Finer digits are cut towards
     * the past.
     *
     * @param name the part's name
     * @return the format with this part, whose values are {@code Instant}s of the years 1 to 9999
     */
    public KeyFormat time(String name) {
        return with(new KeyTime(name, false));
    }

    /**
     * Adds a time, the latest first: the steps of 100 ns from it to the end of 9999 (.NET's {@code DateTime.MaxValue}), in 19 digits. Finer
     * digits are cut towards the past.
     *
     * @param name the part's name
     * @return the format with this part, whose values are {@code Instant}s of the years 1 to 9999
     */
    public KeyFormat newestFirst(String name) {
        return with(new KeyTime(name, true));
    }

    /**
     * Adds a time as {@code ssyyyyMMddHHmm} in UTC, which spreads writes of one minute over 60 places. It does not sort by time.
     *
     * @param name the part's name
     * @return the format with this part, whose values are {@code Instant}s of the years 1 to 9999 in whole seconds
     */
    public KeyFormat secondsFirst(String name) {
        return with(new KeySecondsFirst(name));
    }

    /**
     * Adds a UUID: 36 characters of lower case, which sort as text and not as {@code UUID.compareTo}.
     *
     * @param name the part's name
     * @return the format with this part, whose values are {@code UUID}s
     */
    public KeyFormat uuid(String name) {
        return with(new KeyUuid(name));
    }

    /**
     * Adds random hexadecimal digits of lower case, which spread the load where keys are never listed.
     *
     * @param name the part's name
     * @param digits how many, 1 to 32
     * @return the format with this part, whose values are a {@code RandomGenerator} to draw from, or the digits as a {@code String}
     * @throws IllegalArgumentException if the number of digits is out of these limits
     */
    public KeyFormat random(String name, int digits) {
        return with(new KeyRandom(name, digits));
    }

    private KeyFormat with(KeyPart part) {
        if (part.name().isEmpty()) {
            throw new IllegalArgumentException("the name of part " + (parts.size() + 1) + " is empty");
        }
        if (parts.stream().anyMatch(other -> other.name().equals(part.name()))) {
            throw new IllegalArgumentException("the format has two parts named " + part.name());
        }
        List<KeyPart> more = new ArrayList<>(parts);
        more.add(part);
        return new KeyFormat(target, separator, hash, List.copyOf(more));
    }

    /**
     * Makes a key.
     *
     * @param values the values of all parts, in their order
     * @return the key, at most 1,024 characters, or a name by the rules of its service
     * @throws IllegalArgumentException if the number of values is not that of the parts, a value is of another type or out of its limits, or
     *     the key is too long, or no name that the format is for; the message names the part and the limit, and never the text
     * @throws IllegalStateException if the format has no parts
     */
    public String format(Object... values) {
        if (values.length != parts().size()) {
            throw new IllegalArgumentException(target.role() + ": " + values.length
                    + " values are given, the format has " + parts.size() + ": " + String.join(", ", names()));
        }
        String rest = joined(values);
        return target.complete(sized(hash == null ? rest : hash.of(rest) + separator.text() + rest, values));
    }

    /**
     * Returns the common prefix of all keys with these first values, for {@code rowPrefix} of a query.
     *
     * @param first the values of the first part or parts, in their order
     * @return the prefix, with the separator at its end if more parts follow
     * @throws IllegalArgumentException as {@link #format}, or if there is no value
     * @throws IllegalStateException if the format has no parts, or has a hash, so that there is a prefix for each bucket: {@link #prefixes}
     */
    public String prefix(Object... first) {
        if (hash != null) {
            throw new IllegalStateException(
                    "the hash stands before the first part; prefixes gives a prefix for each of its " + hash.buckets()
                            + " buckets");
        }
        if (first.length == 0) {
            throw new IllegalArgumentException("prefix: no value is given; every key begins with the empty prefix");
        }
        return sized(beginning(first), first);
    }

    /**
     * Returns the prefixes of the keys of a hashed format, one for each bucket.
     *
     * @param first the values of the first part or parts, if all keys wanted have them in common; else none
     * @return the prefixes in their order, as many as there are buckets
     * @throws IllegalArgumentException as {@link #format}
     * @throws IllegalStateException if the format has no parts, or no hash: {@link #prefix} gives the only prefix
     */
    public List<String> prefixes(Object... first) {
        if (hash == null) {
            throw new IllegalStateException("the format has no hash, so that its keys have one prefix; use prefix");
        }
        String rest = beginning(first);
        return hash.all()
                .map(bucket -> sized(bucket + separator.text() + rest, first))
                .toList();
    }

    /**
     * Reads the values of a key.
     *
     * @param key a key made by this format
     * @return its values
     * @throws InvalidKeyException if this format does not make such a key; the message names the part and the position, and not the key
     * @throws IllegalStateException if the format has no parts
     */
    public KeyValues parse(String key) {
        target.checkReadable(key);
        Map<String, Object> values = new LinkedHashMap<>();
        int position = afterHash(key);
        for (KeyPart part : parts()) {
            boolean last = values.size() == parts.size() - 1;
            int end = end(part, last, key, position);
            values.put(part.name(), part.read(key, position, end));
            position = end + separator.text().length();
        }
        return new KeyValues(values);
    }

    private int end(KeyPart part, boolean last, String key, int start) {
        int end = last ? key.length() : key.indexOf(separator.text(), start);
        if (part.width() == KeyPart.ANY_WIDTH) {
            if (end < 0) {
                throw part.unreadable(start, "followed by the separator");
            }
            return end;
        }
        int fixed = start + part.width();
        if (last ? fixed != end : !key.startsWith(separator.text(), fixed)) {
            throw part.unreadable(
                    start, part.width() + " characters and " + (last ? "the end of the key" : "the separator"));
        }
        return fixed;
    }

    private int afterHash(String key) {
        if (hash == null) {
            return 0;
        }
        int start = KeyHash.DIGITS + separator.text().length();
        if (!key.startsWith(separator.text(), KeyHash.DIGITS) || !key.startsWith(hash.of(key.substring(start)))) {
            throw new InvalidKeyException(target.role() + ": the hash at position 0 is not that of the rest in "
                    + hash.buckets() + " buckets; this format did not make it");
        }
        return start;
    }

    private String beginning(Object... first) {
        if (first.length > parts().size()) {
            throw new IllegalArgumentException("prefix: " + first.length + " values are given, the format has "
                    + parts.size() + ": " + String.join(", ", names()));
        }
        String text = joined(first);
        return first.length == 0 || first.length == parts.size() ? text : text + separator.text();
    }

    private String joined(Object... values) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            KeyPart part = parts.get(i);
            text.append(i == 0 ? "" : separator.text())
                    .append(part.write(Objects.requireNonNull(values[i], part.name())));
        }
        return text.toString();
    }

    private String sized(String key, Object... values) {
        if (key.length() <= target.max()) {
            return key;
        }
        int longest = 0;
        for (int i = 1; i < values.length; i++) {
            longest = width(i, values) > width(longest, values) ? i : longest;
        }
        throw new InvalidKeyException(target.role() + ": " + key.length() + " characters; the limit is " + target.max()
                + (target == KeyTarget.ENTITY ? " (1 KiB)" : "") + "; part "
                + parts.get(longest).name() + " takes " + width(longest, values));
    }

    private int width(int index, Object... values) {
        return parts.get(index).write(values[index]).length();
    }

    /**
     * Returns the names of the parts.
     *
     * @return the names, in their order in the key
     */
    public List<String> names() {
        return parts.stream().map(KeyPart::name).toList();
    }

    private List<KeyPart> parts() {
        if (parts.isEmpty()) {
            throw new IllegalStateException("the key format has no parts");
        }
        return parts;
    }

    /** Returns the separator and the parts by name. */
    @Override
    public String toString() {
        return "KeyFormat[" + (hash == null ? "" : "hash, ") + Abbreviation.printable(String.join(", ", names()))
                + " separated by " + separator.text() + "]";
    }
}
