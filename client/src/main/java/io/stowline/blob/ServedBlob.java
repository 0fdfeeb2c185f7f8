package io.stowline.blob;

import io.stowline.blob.internal.rule.HttpConditions;
import io.stowline.transport.internal.request.HeaderValues;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The response of an HTTP server to a request for a blob: status, headers, and the part of the blob that is its content. It follows RFC 9110 for
 * conditions, {@code Range} and {@code If-Range}, sends no request, and knows no server; Spring MVC has {@code BlobResponse}.
 *
 * <pre>{@code
 * ServedBlob served = ServedBlob.of(photos.info(name), exchange.getRequestMethod(), exchange.getRequestHeaders()::getFirst);
 * try (BlobDownload blob = served.hasContent() ? photos.openDownload(name, served::download) : null) {
 *     served.headers().forEach(exchange.getResponseHeaders()::set);
 *     exchange.sendResponseHeaders(served.status(), served.hasContent() ? served.length() : -1);
 *     if (blob != null) {
 *         blob.stream().transferTo(exchange.getResponseBody());
 *     }
 * }
 * }</pre>
 *
 * <p>A blob that is replaced between {@code info} and {@code openDownload} is a {@link io.stowline.error.PreconditionFailedException} before the
 * head is sent: repeat both.
 *
 * @param info the version that is served
 * @param status 200, 206, 304, 405 for another method than {@code GET} and {@code HEAD}, 412 or 416
 * @param headers the headers of the response; {@code Content-Length} is among them if the status is 200 or 206
 * @param offset where in the blob the content begins
 * @param length the bytes of the content; of a {@code HEAD} those that a {@code GET} would send; 0 of any other status than 200 and 206
 * @param hasContent whether the response has content; if not, the blob need not be opened
 */
public record ServedBlob(
        BlobInfo info, int status, Map<String, String> headers, long offset, long length, boolean hasContent) {

    /** One range: clients that want several accept the whole blob as well. */
    private static final Pattern RANGE = Pattern.compile("(?i)\\s*bytes\\s*=\\s*(\\d*)\\s*-\\s*(\\d*)\\s*");

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** A part from its first byte to the one behind its last; of a part that the blob lacks, the end is not behind the beginning. */
    private record Part(long from, long end) {}

    /**
     * Checks that no part is null.
     *
     * @param info the version that is served
     * @param status the status of the response
     * @param headers the headers of the response
     * @param offset where in the blob the content begins
     * @param length the bytes of the content
     * @param hasContent whether the response has content
     */
    public ServedBlob {
        Objects.requireNonNull(info, "info");
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /**
     * Decides the response to a request. Several ranges, a range in another unit and a malformed one are served whole, as HTTP allows.
     *
     * @param info the blob, from {@link BlobContainer#info(String)}
     * @param method the method of the request
     * @param requestHeaders gives the value of a header of the request by its name in any case, or {@code null}: {@code
     *     exchange.getRequestHeaders()::getFirst} or {@code request::getHeader}. A header of several lines is these lines with commas between
     *     them; without that its first line counts
     * @return the response
     */
    public static ServedBlob of(BlobInfo info, String method, Function<String, @Nullable String> requestHeaders) {
        Objects.requireNonNull(requestHeaders, "requestHeaders");
        boolean get = method.equals("GET");
        if (!get && !method.equals("HEAD")) {
            return empty(info, 405, Map.of("Allow", "GET, HEAD"));
        }
        HttpConditions conditions = new HttpConditions(etag(info), info.lastModified());
        int status = conditions.evaluate(requestHeaders);
        if (status == 412) {
            return empty(info, status, Map.of());
        }
        Map<String, String> headers = new LinkedHashMap<>();
        describeVersion(info, headers);
        if (status == 304) {
            return empty(info, status, headers);
        }
        Part part = get && conditions.allowsRange(requestHeaders.apply("If-Range"))
                ? part(requestHeaders.apply("Range"), info.size())
                : null;
        if (part != null && part.end() <= part.from()) {
            return empty(info, 416, Map.of("Accept-Ranges", "bytes", "Content-Range", "bytes */" + info.size()));
        }
        describeContent(info.headers(), headers);
        long from = part == null ? 0 : part.from();
        long end = part == null ? info.size() : part.end();
        if (part != null) {
            headers.put("Content-Range", "bytes " + from + "-" + (end - 1) + "/" + info.size());
        }
        headers.put("Content-Length", Long.toString(end - from));
        return new ServedBlob(info, part == null ? 200 : 206, headers, from, end - from, get && end > from);
    }

    /**
     * Sets what opens the content of this response: {@code photos.openDownload(name, served::download)}. The bytes are those that are stored, of
     * this part of this version.
     *
     * @param settings the settings of the download
     * @return the settings
     */
    public DownloadSettings.Builder download(DownloadSettings.Builder settings) {
        settings.asStored();
        if (!info.etag().isEmpty()) {
            settings.ifMatch(info.etag());
        }
        return status == 206 ? settings.range(offset, length) : settings;
    }

    private static ServedBlob empty(BlobInfo info, int status, Map<String, String> headers) {
        return new ServedBlob(info, status, headers, 0, 0, false);
    }

    private static String etag(BlobInfo info) {
        return info.etag().isEmpty() ? "" : HeaderValues.quoted(info.etag());
    }

    /** The headers that a 304 has, too. */
    private static void describeVersion(BlobInfo info, Map<String, String> headers) {
        put(headers, "ETag", etag(info));
        headers.put("Last-Modified", date(info.lastModified()));
        headers.put("Accept-Ranges", "bytes");
        put(headers, "Cache-Control", info.headers().cacheControl());
    }

    private static void describeContent(BlobHeaders stored, Map<String, String> headers) {
        headers.put("Content-Type", "application/octet-stream");
        put(headers, "Content-Type", stored.contentType());
        put(headers, "Content-Encoding", stored.contentEncoding());
        put(headers, "Content-Language", stored.contentLanguage());
        put(headers, "Content-Disposition", stored.contentDisposition());
    }

    private static void put(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            headers.put(name, value);
        }
    }

    private static String date(Instant time) {
        return DATE.format(time);
    }

    /** Returns null for the whole blob. */
    private static @Nullable Part part(@Nullable String range, long size) {
        Matcher parts = RANGE.matcher(range == null ? "" : range);
        if (!parts.matches()) {
            return null;
        }
        String first = parts.group(1);
        String last = parts.group(2);
        if (first.isEmpty()) {
            return last.isEmpty() || size == 0 ? null : new Part(Math.max(size - number(last), 0), size);
        }
        long from = number(first);
        long to = last.isEmpty() ? Long.MAX_VALUE - 1 : number(last);
        return to < from ? null : new Part(from, Math.min(to + 1, size));
    }

    /** A number beyond any blob stands for the end of all blobs. */
    private static long number(String digits) {
        try {
            return Math.min(Long.parseLong(digits), Long.MAX_VALUE - 1);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE - 1;
        }
    }
}
