package io.stowline.blob;

import io.stowline.error.internal.PrintableText;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of a container as a tree, whose folders are the common beginnings of names. Nothing is read in advance: a level is
 * listed page by page while its stream is read, and a folder when it is walked into.
 *
 * <pre>{@code
 * BlobTree year = photos.tree("2026/");
 * try (Stream<BlobTree> months = year.folders()) {
 *     months.forEach(month -> System.out.println(month.name() + " " + month.path()));
 * }
 * try (Stream<BlobTree.Entry> all = year.walk(folder -> !folder.name().equals("2026/raw/"))) {
 *     all.filter(entry -> !entry.isPrefix()).forEach(entry -> System.out.println(entry.name()));
 * }
 * }</pre>
 *
 * <p>Streams are to be closed if they are not read to their end. {@link ReactiveBlobContainer#walk} walks without blocking.
 *
 * <p>Immutable and safe to share between threads.
 */
public interface BlobTree {

    /**
     * Returns what the names of all blobs of this folder begin with.
     *
     * @return the beginning, with the delimiter at its end; empty for the whole container
     */
    String path();

    /**
     * Returns the last segment of the path.
     *
     * @return the segment without the delimiter; empty for the whole container
     */
    String name();

    /**
     * Returns a folder of this one, which need not exist.
     *
     * @param segment its name, with or without the delimiter at its end
     * @return the folder
     * @throws IllegalArgumentException if the name is empty
     */
    BlobTree folder(String segment);

    /**
     * Returns the blobs and folders of this level.
     *
     * @return the level in the order of names
     */
    Stream<Entry> entries();

    /**
     * Returns the folders of this level.
     *
     * @return the folders in the order of names
     */
    Stream<BlobTree> folders();

    /**
     * Returns the blobs of this level, but not those of its folders.
     *
     * @return their facts in the order of names
     */
    Stream<BlobInfo> blobs();

    /**
     * Returns all entries below this folder, each folder before what is in it.
     *
     * @return blobs and folders, depth first, levels in the order of names
     */
    default Stream<Entry> walk() {
        return walk(folder -> true);
    }

    /**
     * Returns the entries below this folder, each folder before what is in it, without what is in folders that the reader leaves alone.
     *
     * @param into whether to walk into a folder, which is an entry of the walk in either case; called once for each
     * @return blobs and folders, depth first, levels in the order of names
     */
    Stream<Entry> walk(Predicate<Entry> into);

    /**
     * One line of a listing by hierarchy: a blob, or the common beginning of the names of several.
     *
     * <p>Immutable and safe to share between threads.
     *
     * @param name the blob's name; or the common beginning, which ends with the delimiter
     * @param info the blob's properties, or {@code null} for a common beginning
     */
    record Entry(String name, @Nullable BlobInfo info) {

        /**
         * Checks that there is a name.
         *
         * @param name the blob's name; or the common beginning, which ends with the delimiter
         * @param info the blob's properties, or {@code null} for a common beginning
         */
        public Entry {
            Objects.requireNonNull(name, "name");
        }

        @Override
        public String toString() {
            return PrintableText.of("Entry[name=" + name + ", info=" + info + "]");
        }

        /**
         * Returns whether it is the common beginning of several names, what a file system calls a folder.
         *
         * @return false for a blob
         */
        public boolean isPrefix() {
            return info == null;
        }
    }
}
