package io.stowline.blob;

import io.stowline.blob.internal.rule.TagRules;
import io.stowline.error.internal.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A condition on the tags of a blob, to find blobs and to write only where it holds.
 *
 * <pre>{@code
 * BlobTagFilter due = tag("state").equalTo("draft").and(tag("date").lessThan("2026-07-01"));
 * photos.findByTags(due);
 * photos.delete("a.jpg", due);
 * }</pre>
 *
 * <p>Values are compared as text, character by character: write numbers with leading zeros, and dates with the year first. A tag that a blob
 * does not have fulfils no comparison. Alternatives, by {@link #or} and {@link Tag#notEqualTo}, are for conditions of writes only: the
 * service does not search by them.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class BlobTagFilter {

    private static final String UNEQUAL = "<>";

    private final List<List<Comparison>> alternatives;

    /** One comparison of a tag's value. */
    private record Comparison(String name, String operator, String value) {

        @Override
        public String toString() {
            return '"' + name + "\" " + operator + " '" + value + '\'';
        }
    }

    private BlobTagFilter(List<List<Comparison>> alternatives) {
        this.alternatives = alternatives;
    }

    /**
     * Begins a comparison.
     *
     * @param name the name of the tag, with its case
     * @return the tag, to be compared
     * @throws IllegalArgumentException if a tag cannot have the name
     */
    public static Tag tag(String name) {
        return new Tag(TagRules.name(name));
    }

    /**
     * Returns the filter for blobs that both filters hold for.
     *
     * @param other the other filter
     * @return both
     */
    public BlobTagFilter and(BlobTagFilter other) {
        Objects.requireNonNull(other, "other");
        List<List<Comparison>> both = new ArrayList<>();
        for (List<Comparison> mine : alternatives) {
            for (List<Comparison> theirs : other.alternatives) {
                List<Comparison> all = new ArrayList<>(mine);
                all.addAll(theirs);
                both.add(List.copyOf(all));
            }
        }
        return new BlobTagFilter(both);
    }

    /**
     * Returns the filter for blobs that at least one of both holds for; not for a search.
     *
     * @param other the other filter
     * @return either
     */
    public BlobTagFilter or(BlobTagFilter other) {
        Objects.requireNonNull(other, "other");
        List<List<Comparison>> either = new ArrayList<>(alternatives);
        either.addAll(other.alternatives);
        return new BlobTagFilter(either);
    }

    /**
     * Returns the filter in the service's language.
     *
     * @return such as {@code "state" = 'draft' AND "date" < '2026-07-01'}
     */
    public String expression() {
        return alternatives.stream()
                .map(all -> all.stream().map(Comparison::toString).collect(Collectors.joining(" AND ")))
                .collect(Collectors.joining(" OR "));
    }

    /**
     * Returns whether {@link BlobContainer#findByTags} takes the filter: the service does not search by {@link #or} and
     * {@link Tag#notEqualTo}.
     *
     * @return false for a condition of writes only
     */
    public boolean isSearchable() {
        return alternatives.size() == 1 && alternatives.get(0).stream().noneMatch(one -> one.operator.equals(UNEQUAL));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlobTagFilter filter && alternatives.equals(filter.alternatives);
    }

    @Override
    public int hashCode() {
        return alternatives.hashCode();
    }

    @Override
    public String toString() {
        return "BlobTagFilter[" + expression() + "]";
    }

    /**
     * A tag that is compared. Immutable and safe to share between threads.
     *
     * <p>All its methods refuse a value that a tag cannot have with an {@link IllegalArgumentException}.
     */
    public static final class Tag {

        private final String name;

        private Tag(String name) {
            this.name = name;
        }

        private BlobTagFilter compared(String operator, String value) {
            return new BlobTagFilter(List.of(List.of(new Comparison(name, operator, TagRules.value(name, value)))));
        }

        /**
         * Holds for blobs whose tag has this value.
         *
         * @param value the value
         * @return the filter
         */
        public BlobTagFilter equalTo(String value) {
            return compared("=", value);
        }

        /**
         * Holds for blobs whose tag has another value; not for a search.
         *
         * @param value the value
         * @return the filter
         */
        public BlobTagFilter notEqualTo(String value) {
            return compared(UNEQUAL, value);
        }

        /**
         * Holds for blobs whose tag has a value behind this one.
         *
         * @param value the value
         * @return the filter
         */
        public BlobTagFilter greaterThan(String value) {
            return compared(">", value);
        }

        /**
         * Holds for blobs whose tag has this value or one behind it.
         *
         * @param value the value
         * @return the filter
         */
        public BlobTagFilter atLeast(String value) {
            return compared(">=", value);
        }

        /**
         * Holds for blobs whose tag has a value before this one.
         *
         * @param value the value
         * @return the filter
         */
        public BlobTagFilter lessThan(String value) {
            return compared("<", value);
        }

        /**
         * Holds for blobs whose tag has this value or one before it.
         *
         * @param value the value
         * @return the filter
         */
        public BlobTagFilter atMost(String value) {
            return compared("<=", value);
        }
    }

    /**
     * A blob that a search has found.
     *
     * <p>Immutable and safe to share between threads.
     *
     * @param name the blob's name
     * @param tags those of its tags that the filter names
     */
    public record Match(String name, Map<String, String> tags) {

        /**
         * Keeps its own copy of the tags.
         *
         * @param name the blob's name
         * @param tags those of its tags that the filter names
         */
        public Match {
            Objects.requireNonNull(name, "name");
            tags = Map.copyOf(tags);
        }

        @Override
        public String toString() {
            return PrintableText.of("Match[name=" + name + ", tags=" + tags + "]");
        }
    }
}
