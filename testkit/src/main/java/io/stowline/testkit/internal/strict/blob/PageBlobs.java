package io.stowline.testkit.internal.strict.blob;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.request.BlobAddress;
import io.stowline.testkit.internal.strict.request.StrictRequest;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The checks of page blobs: their sizes, and the written ranges. Remembers the sizes that were set through it, for
 * which {@link #learn} receives successful requests. Thread-safe.
 */
public final class PageBlobs implements StrictCheck {

    private static final long PAGE = 512;
    private static final long MOST_BYTES = 4L * 1024 * 1024;
    private static final String LENGTH = "x-ms-blob-content-length";
    private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{1,18})");

    private final Map<BlobAddress, Long> sizes = new ConcurrentHashMap<>();

    @Override
    public void check(StrictRequest call, Rulebook rules) {
        if (call.method().equals("PUT")) {
            checkLength(call, rules);
            if (call.query().getOrDefault("comp", "").equals("page")) {
                checkRange(call, rules);
            }
        }
    }

    private static void checkLength(StrictRequest call, Rulebook rules) {
        Long length = length(call);
        if (length != null && length % PAGE != 0) {
            refuseHeader(StrictRule.PAGE_BLOB_LENGTH, LENGTH, call, rules);
        }
    }

    private void checkRange(StrictRequest call, Rulebook rules) {
        String name = call.header("x-ms-range") == null ? "Range" : "x-ms-range";
        Matcher range = RANGE.matcher(call.header(name, ""));
        if (range.matches()) {
            long from = Long.parseLong(range.group(1));
            long to = Long.parseLong(range.group(2)) + 1;
            if (from % PAGE != 0 || to % PAGE != 0) {
                refuseHeader(StrictRule.PAGE_ALIGNMENT, name, call, rules);
            }
            checkSize(call, to - from, rules);
            checkEnd(call, to, rules);
        }
    }

    private static void checkSize(StrictRequest call, long size, Rulebook rules) {
        if (size > MOST_BYTES && !call.header("x-ms-page-write", "").equalsIgnoreCase("clear")) {
            rules.refuse(
                    StrictRule.PAGE_SIZE,
                    "The request body is too large and exceeds the maximum permissible limit.",
                    Map.of("MaxLimit", Long.toString(MOST_BYTES)));
        }
    }

    private void checkEnd(StrictRequest call, long to, Rulebook rules) {
        Long size = sizes.get(BlobAddress.of(call));
        if (size != null && to > size) {
            rules.refuse(
                    StrictRule.PAGE_BEYOND_BLOB,
                    "The page range specified is invalid: the blob has " + size + " bytes.");
        }
    }

    private static void refuseHeader(StrictRule rule, String name, StrictRequest call, Rulebook rules) {
        rules.refuse(
                rule,
                "The value for one of the HTTP headers is not in the correct format.",
                Map.of("HeaderName", name, "HeaderValue", call.header(name, "")));
    }

    /** Notes what a request that succeeded did to the size of a page blob. */
    public void learn(StrictRequest call) {
        Long length = length(call);
        if (call.method().equals("PUT") && length != null) {
            sizes.put(BlobAddress.of(call), length);
        } else if (call.method().equals("DELETE") || replaces(call)) {
            sizes.remove(BlobAddress.of(call));
        }
    }

    private static boolean replaces(StrictRequest call) {
        return call.method().equals("PUT") && !call.query().containsKey("comp");
    }

    private static @Nullable Long length(StrictRequest call) {
        String comp = call.query().getOrDefault("comp", "");
        boolean sized = call.header("x-ms-blob-type", "").equals("PageBlob") || comp.equals("properties");
        String length = sized ? call.header(LENGTH, "") : "";
        try {
            return length.isEmpty() ? null : Long.valueOf(length);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
