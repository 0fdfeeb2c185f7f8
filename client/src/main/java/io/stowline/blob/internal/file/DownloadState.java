package io.stowline.blob.internal.file;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The content of an unfinished download's state file: a line for each fact, and one for each range that is in the part file. Lines are only
 * appended, so a line without its end was being written when the process died and does not count. No credential is among the facts. Not
 * thread-safe.
 */
final class DownloadState {

    private static final String FORMAT = "stowline-download 1";
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9}) ([0-9a-f]{8})");

    private final SourceVersion sourceVersion;
    private final Map<Integer, String> finished = new LinkedHashMap<>();

    DownloadState(SourceVersion sourceVersion) {
        this.sourceVersion = sourceVersion;
    }

    /**
     * The version that is downloaded, and how.
     *
     * @param blob the identity of the blob: account, container and name
     * @param created when it was created, or {@code null} if the response lacks it
     * @param length its bytes
     * @param rangeSize the bytes of each range but the last
     */
    record SourceVersion(String blob, String etag, @Nullable String created, long length, int rangeSize) {

        int ranges() {
            return Math.toIntExact((length + rangeSize - 1) / rangeSize);
        }

        long offset(int index) {
            return (long) index * rangeSize;
        }

        int count(int index) {
            return (int) Math.min(rangeSize, length - offset(index));
        }
    }

    SourceVersion sourceVersion() {
        return sourceVersion;
    }

    /** Returns the hashes of the ranges that are in the part file, by their index. */
    Map<Integer, String> finished() {
        return finished;
    }

    /** Returns the lines before the first range. */
    String header() {
        return FORMAT + "\nblob " + encoded(sourceVersion.blob) + "\netag " + encoded(sourceVersion.etag) + "\ncreated "
                + (sourceVersion.created == null ? "-" : encoded(sourceVersion.created)) + "\nlength "
                + sourceVersion.length + "\nrange "
                + sourceVersion.rangeSize + "\n";
    }

    static String line(int index, String hash) {
        return index + " " + hash + "\n";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /**
     * Returns the state in a file, as far as its lines are whole and make sense; or {@code null} if its facts do not.
     */
    static @Nullable DownloadState parse(String text) {
        String[] lines = text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1);
        if (lines.length < 7 || !lines[0].equals(FORMAT)) {
            return null;
        }
        SourceVersion sourceVersion = sourceVersion(lines);
        if (sourceVersion == null) {
            return null;
        }
        DownloadState state = new DownloadState(sourceVersion);
        for (int i = 6; i < lines.length; i++) {
            Matcher range = RANGE.matcher(lines[i]);
            if (range.matches() && Integer.parseInt(range.group(1)) < sourceVersion.ranges()) {
                state.finished.put(Integer.parseInt(range.group(1)), range.group(2));
            }
        }
        return state;
    }

    private static @Nullable SourceVersion sourceVersion(String[] lines) {
        try {
            String created = value(lines[3], "created");
            SourceVersion sourceVersion = new SourceVersion(
                    decoded(value(lines[1], "blob")),
                    decoded(value(lines[2], "etag")),
                    created.equals("-") ? null : decoded(created),
                    Long.parseLong(value(lines[4], "length")),
                    Integer.parseInt(value(lines[5], "range")));
            return sourceVersion.length < 1
                            || sourceVersion.rangeSize < 1
                            || sourceVersion.length / sourceVersion.rangeSize > 100_000_000
                    ? null
                    : sourceVersion;
        } catch (IllegalArgumentException nonsense) {
            return null;
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static String value(String line, String name) {
        if (!line.startsWith(name + " ")) {
            throw new IllegalArgumentException("no " + name);
        }
        return line.substring(name.length() + 1);
    }
}
