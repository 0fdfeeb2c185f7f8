package io.stowline.table.internal.range;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search for keys that divide a table into ranges. The service has no statistics, but finds the first key from a text on with one cheap
 * query. Keys are grouped by prefixes: the longest common one is found by bisection, and each next prefix behind it by one probe.
 *
 * <p>Not thread-safe.
 */
final class KeyProbe {

    /** The first key of a range of texts. */
    @FunctionalInterface
    interface FirstKey {

        /**
         * Returns the first key.
         *
         * @param from the first text of the range; {@code null} for all
         * @param below the first text after it; {@code null} for none
         * @return the key; {@code null} if the range has none
         */
        @Nullable
        String find(@Nullable String from, @Nullable String below);
    }

    private final FirstKey keys;
    private int probes;

    /**
     * Prepares a search.
     *
     * @param max the max number of probes
     */
    KeyProbe(FirstKey keys, int max) {
        this.keys = keys;
        this.probes = max;
    }

    /** A group of keys from its first one to below a text. */
    private record KeyGroup(String first, @Nullable String below) {}

    /**
     * Returns the first keys of groups, at least the wanted number unless the keys or the probes do not suffice.
     *
     * @return existing keys in their order; none if there is no key
     */
    List<String> starts(int wanted) {
        String first = find(null, null);
        if (first == null) {
            return List.of();
        }
        List<KeyGroup> groups = List.of(new KeyGroup(first, null));
        boolean divided = true;
        while (divided && groups.size() < wanted && probes > 0) {
            List<KeyGroup> finer = new ArrayList<>();
            for (KeyGroup group : groups) {
                finer.addAll(divide(group));
            }
            divided = finer.size() > groups.size();
            groups = finer;
        }
        return groups.stream().map(KeyGroup::first).toList();
    }

    private List<KeyGroup> divide(KeyGroup group) {
        int common = common(group);
        if (common == group.first.length() || probes <= 0) {
            return List.of(group);
        }
        List<String> firsts = new ArrayList<>(List.of(group.first));
        String key = group.first;
        while (key != null && probes > 0) {
            String bound = after(cut(key, common + 1));
            key = bound == null || isAt(bound, group.below) ? null : find(bound, group.below);
            if (key != null) {
                firsts.add(key);
            }
        }
        List<KeyGroup> parts = new ArrayList<>();
        for (int i = 0; i < firsts.size(); i++) {
            parts.add(new KeyGroup(firsts.get(i), i + 1 < firsts.size() ? firsts.get(i + 1) : group.below));
        }
        return parts;
    }

    /** Returns how many characters all keys of a group have in common, by bisection. */
    private int common(KeyGroup group) {
        int low = 0;
        int high = group.first.length();
        while (low < high && probes > 0) {
            int middle = (low + high + 1) >>> 1;
            String bound = after(cut(group.first, middle));
            boolean all = bound == null || isAt(bound, group.below) || find(bound, group.below) == null;
            if (all) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static boolean isAt(String bound, @Nullable String below) {
        return below != null && bound.compareTo(below) >= 0;
    }

    private @Nullable String find(@Nullable String from, @Nullable String below) {
        probes--;
        return keys.find(from, below);
    }

    /** Returns a prefix that does not end in the middle of a surrogate pair. */
    private static String cut(String key, int length) {
        boolean pair = length < key.length() && Character.isHighSurrogate(key.charAt(length - 1));
        return key.substring(0, pair ? length + 1 : length);
    }

    /** Returns the least text that a key can have above all keys with a prefix; {@code null} if there is none. */
    static @Nullable String after(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            int next = next(last);
            if (next >= 0) {
                return prefix.substring(0, end) + Character.toString(next);
            }
        }
        return null;
    }

    /** Keys are ordered by UTF-16, where pairs of surrogates stand before U+E000; some characters stand in no key. */
    private static int next(int character) {
        int next = character;
        do {
            next = switch (next) {
                case Character.MIN_SURROGATE - 1 -> Character.MIN_SUPPLEMENTARY_CODE_POINT;
                case Character.MAX_CODE_POINT -> Character.MAX_SURROGATE + 1;
                case Character.MAX_VALUE -> -1;
                default -> next + 1;
            };
        } while (next == '#' || next == '/' || next == '?' || next == '\\' || (next >= 0x7F && next <= 0x9F));
        return next;
    }
}
