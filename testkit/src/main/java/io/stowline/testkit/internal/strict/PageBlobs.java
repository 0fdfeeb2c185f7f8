package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.ResourceAddress;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The checks of page blobs: their sizes, and the written ranges. Remembers the sizes that were set through it, for
 * which {@link #learn} receives successful requests. Thread-safe.
 */
final class PageBlobs implements StrictCheck {

    private static final long PAGE = 512;
    private static final long MAX_BYTES = 4L * 1024 * 1024;
    private static final String LENGTH = "x-ms-blob-content-length";
    private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{1,18})");

    private final Map<ResourceAddress, Long> sizes = new ConcurrentHashMap<>();

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.method().equals("PUT")) {
            checkLength(request, rules);
            if (request.query().getOrDefault("comp", "").equals("page")) {
                checkRange(request, rules);
            }
        }
    }

    private static void checkLength(StorageRequest request, Rulebook rules) {
        Long length = length(request);
        if (length != null && length % PAGE != 0) {
            refuseHeader(StrictRule.PAGE_BLOB_LENGTH, LENGTH, request, rules);
        }
    }

    private void checkRange(StorageRequest request, Rulebook rules) {
        String name = request.header("x-ms-range") == null ? "Range" : "x-ms-range";
        Matcher range = RANGE.matcher(request.header(name, ""));
        if (range.matches()) {
            long from = Long.parseLong(range.group(1));
            long to = Long.parseLong(range.group(2)) + 1;
            if (from % PAGE != 0 || to % PAGE != 0) {
                refuseHeader(StrictRule.PAGE_ALIGNMENT, name, request, rules);
            }
            checkSize(request, to - from, rules);
            checkEnd(request, to, rules);
        }
    }

    private static void checkSize(StorageRequest request, long size, Rulebook rules) {
        if (size > MAX_BYTES && !request.header("x-ms-page-write", "").equalsIgnoreCase("clear")) {
            rules.refuse(
                    StrictRule.PAGE_SIZE,
                    "The request body is too large and exceeds the maximum permissible limit.",
                    Map.of("MaxLimit", Long.toString(MAX_BYTES)));
        }
    }

    private void checkEnd(StorageRequest request, long to, Rulebook rules) {
        Long size = sizes.get(ResourceAddress.of(request));
        if (size != null && to > size) {
            rules.refuse(
                    StrictRule.PAGE_BEYOND_BLOB,
                    "The page range specified is invalid: the blob has " + size + " bytes.");
        }
    }

    private static void refuseHeader(StrictRule rule, String name, StorageRequest request, Rulebook rules) {
        rules.refuse(
                rule,
                "The value for one of the HTTP headers is not in the correct format.",
                Map.of("HeaderName", name, "HeaderValue", request.header(name, "")));
    }

    /** Notes what a request that succeeded did to the size of a page blob. */
    void learn(StorageRequest request) {
        Long length = length(request);
        if (request.method().equals("PUT") && length != null) {
            sizes.put(ResourceAddress.of(request), length);
        } else if (request.method().equals("DELETE") || replaces(request)) {
            sizes.remove(ResourceAddress.of(request));
        }
    }

    private static boolean replaces(StorageRequest request) {
        return request.method().equals("PUT") && !request.query().containsKey("comp");
    }

    private static @Nullable Long length(StorageRequest request) {
        String comp = request.query().getOrDefault("comp", "");
        boolean sized = request.header("x-ms-blob-type", "").equals("PageBlob") || comp.equals("properties");
        String length = sized ? request.header(LENGTH, "") : "";
        try {
            return length.isEmpty() ? null : Long.valueOf(length);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
