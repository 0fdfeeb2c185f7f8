package io.stowline.blob.internal;

import com.azure.storage.blob.models.BlobDownloadHeaders;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which bytes an answer holds.
 *
 * @param from the first of them
 * @param length how many they are
 * @param total how many the blob has
 */
record RangeAnswer(long from, long length, long total) {

    private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    /** What the headers say, or {@code null} if they make no sense or lack something; without a range it is the whole blob. */
    @Nullable
    static RangeAnswer of(BlobDownloadHeaders headers) {
        if (headers.getETag() == null || headers.getLastModified() == null || headers.getBlobType() == null) {
            return null;
        }
        Long length = headers.getContentLength();
        String range = headers.getContentRange();
        if (range == null) {
            return length == null ? null : new RangeAnswer(0, length, length);
        }
        Matcher parts = CONTENT_RANGE.matcher(range);
        if (!parts.matches()) {
            return null;
        }
        long from = Long.parseLong(parts.group(1));
        return new RangeAnswer(from, Long.parseLong(parts.group(2)) - from + 1, Long.parseLong(parts.group(3)));
    }
}
