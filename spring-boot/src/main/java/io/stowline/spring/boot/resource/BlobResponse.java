package io.stowline.spring.boot.resource;

import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.ServedBlob;
import io.stowline.spring.boot.web.ProblemException;
import io.stowline.spring.boot.web.ProblemType;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRange;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.RequestEntity;
import org.springframework.http.ResponseEntity;

/**
 * The response of Spring MVC that serves a blob: its head and its bytes are of one version, also of a part, and a version that the client has is
 * not sent again.
 *
 * <pre>{@code
 * @RestController
 * class PhotoController {
 *     private final BlobResource photos;
 *
 *     PhotoController(BlobResources resources) {
 *         photos = resources.resource("azure-blob://photos/");
 *     }
 *
 *     @GetMapping("/photos/{name}")
 *     ResponseEntity<Resource> photo(@PathVariable String name, RequestEntity<Void> request) throws IOException {
 *         return BlobResponse.of(photos.createRelative(name), request);
 *     }
 * }
 * }</pre>
 */
public final class BlobResponse {

    /** A blob that changes between the facts and the content is found again. */
    private static final int ATTEMPTS = 3;

    private BlobResponse() {}

    /**
     * Returns the response with a blob: {@code ETag}, {@code Last-Modified} and the headers that are stored with the blob, such as {@code
     * Content-Type} and {@code Cache-Control}. Spring turns it into a 304 for a version that the client has, and into a 206 for {@code Range};
     * {@code If-Range} with another version gets all of the present one. A {@code HEAD} reads no content.
     * {@code If-Match} of another version is a 412.
     *
     * @param blob the blob; a new resource for each request, such as that of {@link BlobResource#createRelative} or {@link BlobResource#latest}
     * @param request the request, which Spring MVC gives to a handler as an argument
     * @return the response, whose content is on its way unless the conditions of the request may spare it; a 416 without content if the blob has
     *     no part that {@code Range} names
     * @throws ProblemException if there is no such blob: a 404; if it has been replaced three times while this method read it: a 503
     * @throws IOException if the first bytes of the blob cannot be read
     */
    public static ResponseEntity<Resource> of(BlobResource blob, RequestEntity<?> request) throws IOException {
        BlobResource current = blob;
        for (int attempt = 1; ; attempt++) {
            try {
                return response(current, request);
            } catch (FileNotFoundException e) {
                throw problem(ProblemType.NOT_FOUND, ProblemType.NOT_FOUND.detail(), e);
            } catch (BlobChangedException e) {
                if (attempt == ATTEMPTS) {
                    throw problem(
                            ProblemType.STORAGE_UNAVAILABLE, "It changes faster than it is read: repeat it later.", e);
                }
                current = current.latest();
            }
        }
    }

    private static ProblemException problem(ProblemType type, String detail, IOException cause) {
        ProblemException problem = new ProblemException(type, detail);
        problem.initCause(cause);
        return problem;
    }

    private static ResponseEntity<Resource> response(BlobResource blob, RequestEntity<?> request) throws IOException {
        BlobInfo info = blob.info();
        HttpHeaders wanted = request.getHeaders();
        if (isRuledOut(info, request)) {
            return ResponseEntity.status(HttpStatus.PRECONDITION_FAILED).build();
        }
        ResponseEntity.BodyBuilder response = ResponseEntity.ok().headers(headers -> describe(info, headers));
        if (HttpMethod.HEAD.equals(request.getMethod())) {
            return response.contentLength(info.size()).build();
        }
        boolean whole = isOfAnotherVersion(info, wanted);
        boolean mayBeUnread = mayBeUnread(info, wanted);
        if (!whole && !mayBeUnread && !isSatisfiable(blob, wanted)) {
            // Spring would send all of the content with this status.
            return ResponseEntity.status(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
                    .header(HttpHeaders.ACCEPT_RANGES, "bytes")
                    .header(HttpHeaders.CONTENT_RANGE, "bytes */" + info.size())
                    .build();
        }
        BlobResource body = mayBeUnread ? blob : opened(blob, info, whole ? HttpHeaders.EMPTY : wanted);
        // Of the other type Spring sends no parts.
        return whole
                ? response.contentLength(info.size()).body(new InputStreamResource(body, body.getDescription()))
                : response.body(body);
    }

    /** Returns whether {@code If-Match} or {@code If-Unmodified-Since} rules this version out. Spring leaves the first to writes. */
    private static boolean isRuledOut(BlobInfo info, RequestEntity<?> request) {
        String method = HttpMethod.HEAD.equals(request.getMethod()) ? "HEAD" : "GET";
        return ServedBlob.of(info, method, name -> value(request.getHeaders(), name))
                        .status()
                == HttpStatus.PRECONDITION_FAILED.value();
    }

    /** A list may come in several lines. */
    private static @Nullable String value(HttpHeaders headers, String name) {
        List<String> lines = headers.get(name);
        return lines == null || lines.isEmpty() ? null : String.join(", ", lines);
    }

    /** Has the content requested before Spring writes the head, so that both are of one version. */
    private static BlobResource opened(BlobResource blob, BlobInfo info, HttpHeaders headers) throws IOException {
        long size = info.size();
        long from = 0;
        long end = size;
        List<HttpRange> ranges = headers.getRange();
        if (!ranges.isEmpty()) {
            from = ranges.get(0).getRangeStart(size);
            end = ranges.size() > 1 ? from : ranges.get(0).getRangeEnd(size) + 1;
        }
        return end > from ? blob.opened(from, end - from) : blob;
    }

    /** Returns whether Spring can make parts of the ranges, by its own rules: of 100 at most, and together no longer than the content. */
    private static boolean isSatisfiable(BlobResource blob, HttpHeaders headers) {
        if (!headers.containsHeader(HttpHeaders.RANGE)) {
            return true;
        }
        try {
            return !HttpRange.toResourceRegions(headers.getRange(), blob).isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns whether Spring may respond by a 304, without content. */
    private static boolean mayBeUnread(BlobInfo info, HttpHeaders headers) {
        List<String> known = headers.getIfNoneMatch();
        return known.isEmpty()
                ? headers.containsHeader(HttpHeaders.IF_MODIFIED_SINCE)
                : known.stream().anyMatch(etag -> etag.equals("*") || etag.endsWith(info.etag()));
    }

    /**
     * Returns the ETag of a resource that is a blob, for the handler of static resources:
     * {@code registry.addResourceHandler("/photos/**").addResourceLocations("azure-blob://photos/").setEtagGenerator(BlobResponse::etagOf)}.
     *
     * @param resource the resource
     * @return the ETag of the version that the resource is bound to; {@code null} if the resource is no blob
     */
    public static @Nullable String etagOf(Resource resource) {
        if (!(resource instanceof BlobResource blob)) {
            return null;
        }
        try {
            return blob.info().etag();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void describe(BlobInfo info, HttpHeaders headers) {
        BlobHeaders stored = info.headers();
        if (!info.etag().isEmpty()) {
            headers.setETag(info.etag());
        }
        headers.setLastModified(info.lastModified());
        headers.set(HttpHeaders.ACCEPT_RANGES, "bytes");
        headers.setContentType(mediaType(stored.contentType()));
        set(headers, HttpHeaders.CONTENT_ENCODING, stored.contentEncoding());
        set(headers, HttpHeaders.CONTENT_LANGUAGE, stored.contentLanguage());
        set(headers, HttpHeaders.CONTENT_DISPOSITION, stored.contentDisposition());
        set(headers, HttpHeaders.CACHE_CONTROL, stored.cacheControl());
    }

    private static void set(HttpHeaders headers, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            headers.set(name, value);
        }
    }

    private static MediaType mediaType(@Nullable String stored) {
        try {
            MediaType type = stored == null || stored.isEmpty()
                    ? MediaType.APPLICATION_OCTET_STREAM
                    : MediaType.parseMediaType(stored);
            return type.isConcrete() ? type : MediaType.APPLICATION_OCTET_STREAM;
        } catch (InvalidMediaTypeException e) {
            return MediaType.APPLICATION_OCTET_STREAM;
        }
    }

    /** Returns whether the client wants a part only if its version is the present one, and it is not. */
    private static boolean isOfAnotherVersion(BlobInfo info, HttpHeaders headers) {
        String condition = headers.getFirst(HttpHeaders.IF_RANGE);
        if (condition == null) {
            return false;
        }
        if (condition.startsWith("\"") || condition.startsWith("W/")) {
            return !condition.equals(info.etag());
        }
        long lastModified = info.lastModified().truncatedTo(ChronoUnit.SECONDS).toEpochMilli();
        try {
            return headers.getFirstDate(HttpHeaders.IF_RANGE) != lastModified;
        } catch (IllegalArgumentException malformed) {
            return true;
        }
    }
}
