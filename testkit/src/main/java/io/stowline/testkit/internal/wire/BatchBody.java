package io.stowline.testkit.internal.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Parts of a batch request, read in one pass.
 *
 * @param operations the operations in order, queries among them
 * @param changeSets how many change sets there are
 * @param emptyChangeSets how many of them hold no operation
 * @param queries how many operations are queries
 * @param complete whether each part holds a request, and the last delimiters are there
 */
public record BatchBody(
        List<StorageRequest> operations, int changeSets, int emptyChangeSets, int queries, boolean complete) {

    private static final String BOUNDARY = "boundary=";

    /** Reads a batch; empty when it is no multipart message. */
    public static Optional<BatchBody> of(StorageRequest request) {
        return boundary(request.header("Content-Type", "")).map(name -> new Reader(request).batch(name));
    }

    static Optional<String> boundary(String contentType) {
        int at = contentType.toLowerCase(Locale.ROOT).indexOf(BOUNDARY);
        if (at < 0) {
            return Optional.empty();
        }
        String value = contentType.substring(at + BOUNDARY.length());
        int end = value.indexOf(';');
        return Optional.of((end < 0 ? value : value.substring(0, end)).strip().replace("\"", ""))
                .filter(name -> !name.isEmpty());
    }

    private static final class Reader {

        private final StorageRequest request;
        private final LineReader lines;
        private final List<StorageRequest> operations = new ArrayList<>();
        private int changeSets;
        private int emptyChangeSets;
        private int queries;
        private boolean broken;

        Reader(StorageRequest request) {
            this.request = request;
            this.lines = new LineReader(request.body());
        }

        BatchBody batch(String name) {
            String delimiter = "--" + name;
            boolean more = lines.skipTo(delimiter);
            while (more) {
                String type = HeaderLines.joined(headers(), "Content-Type");
                Optional<String> inner = boundary(type == null ? "" : type);
                if (inner.isPresent()) {
                    changeSet("--" + inner.get());
                    more = lines.skipTo(delimiter);
                } else {
                    more = operation(delimiter);
                }
            }
            boolean complete = !broken && !lines.isCut();
            return new BatchBody(List.copyOf(operations), changeSets, emptyChangeSets, queries, complete);
        }

        private void changeSet(String delimiter) {
            int before = operations.size();
            changeSets++;
            boolean more = lines.skipTo(delimiter);
            while (more) {
                headers();
                more = operation(delimiter);
            }
            if (operations.size() == before) {
                emptyChangeSets++;
            }
        }

        private boolean operation(String delimiter) {
            String requestLine = lines.next();
            if (requestLine.isEmpty() || requestLine.startsWith(delimiter)) {
                broken = true;
                return !requestLine.isEmpty() && !requestLine.startsWith(delimiter + "--");
            }
            List<Map.Entry<String, String>> headers = headers();
            int from = lines.position();
            boolean more = lines.skipTo(delimiter);
            add(requestLine, headers, lines.between(from));
            return more;
        }

        private void add(String requestLine, List<Map.Entry<String, String>> headers, Bytes body) {
            int first = requestLine.indexOf(' ');
            int last = requestLine.lastIndexOf(" HTTP/");
            if (first > 0 && last > first) {
                String method = requestLine.substring(0, first);
                operations.add(request.operation(method, requestLine.substring(first + 1, last), headers, body));
                queries += method.equals("GET") ? 1 : 0;
            } else {
                broken = true;
            }
        }

        private List<Map.Entry<String, String>> headers() {
            List<Map.Entry<String, String>> headers = new ArrayList<>();
            for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    headers.add(Map.entry(
                            line.substring(0, colon).strip(),
                            line.substring(colon + 1).strip()));
                }
            }
            return headers;
        }
    }
}
