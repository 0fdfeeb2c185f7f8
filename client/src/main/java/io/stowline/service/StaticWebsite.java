package io.stowline.service;

import io.stowline.error.internal.PrintableText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The static website of an account: the service shows the blobs of the container {@code $web} at an address for browsers, without
 * authorization. CORS rules have no effect on that address. Immutable.
 *
 * @param enabled whether it is on
 * @param indexDocument the name of the page that stands for a folder, such as {@code index.html}, or {@code null}
 * @param errorDocument the blob that is shown where there is none, such as {@code errors/404.html}, or {@code null}
 * @param defaultIndexPath the blob that stands for every folder, in place of {@code indexDocument}, or {@code null}
 */
public record StaticWebsite(
        boolean enabled,
        @Nullable String indexDocument,
        @Nullable String errorDocument,
        @Nullable String defaultIndexPath) {

    /**
     * Returns a website that is off.
     *
     * @return the value without pages
     */
    public static StaticWebsite off() {
        return new StaticWebsite(false, null, null, null);
    }

    /**
     * Returns a website with a page for each folder.
     *
     * @param indexDocument the page's name in its folder, such as {@code index.html}
     * @return the website
     */
    public static StaticWebsite of(String indexDocument) {
        return new StaticWebsite(true, Objects.requireNonNull(indexDocument, "indexDocument"), null, null);
    }

    /**
     * Returns the website with a page for addresses without a blob.
     *
     * @param path the path of the blob in {@code $web}, such as {@code errors/404.html}
     * @return the website with that page
     */
    public StaticWebsite withErrorDocument(String path) {
        return new StaticWebsite(enabled, indexDocument, Objects.requireNonNull(path, "path"), defaultIndexPath);
    }

    @Override
    public String toString() {
        return PrintableText.of("StaticWebsite[enabled=" + enabled + ", indexDocument=" + indexDocument
                + ", errorDocument=" + errorDocument + ", defaultIndexPath=" + defaultIndexPath + "]");
    }
}
